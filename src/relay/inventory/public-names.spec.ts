import { describe, expect, it } from '@jest/globals';
import type { ModelSelector } from '../../kernel/ids.js';
import { publicNames } from './public-names.js';

const selector = (digit: string): ModelSelector => `mdl_${digit.repeat(16)}` as ModelSelector;
const [first, second, third] = [selector('1'), selector('2'), selector('3')];

const idsOf = (...known: [ModelSelector, string[]][]): (string | undefined)[] => {
  const { bySelector } = publicNames(known);
  return known.map(([of]) => bySelector.get(of)?.id);
};

describe('publicNames', () => {
  it('names a model by its display name when that is unique', () => {
    expect(idsOf([first, ['Llama']], [second, ['Qwen']])).toEqual(['Llama', 'Qwen']);
  });

  it('names models with one display name by their selectors', () => {
    expect(idsOf([first, ['Llama']], [second, ['Llama']], [third, ['Qwen']])).toEqual([first, second, 'Qwen']);
  });

  it('names all models that carry an ambiguous name', () => {
    const { claims } = publicNames([
      [second, ['Llama']],
      [first, ['Llama']],
    ]);
    expect(claims.get('Llama')).toEqual([first, second]);
  });

  it('chooses the same of several names in any order of reports', () => {
    expect(idsOf([first, ['b', 'a']])).toEqual(['a']);
    expect(idsOf([first, ['a', 'b']])).toEqual(['a']);
  });

  it('publicNames does not use a name that another node gives to another model', () => {
    expect(idsOf([first, ['a', 'b']], [second, ['b']])).toEqual(['a', second]);
  });

  it('keeps names that differ in case apart', () => {
    expect(idsOf([first, ['llama']], [second, ['Llama']])).toEqual(['llama', 'Llama']);
  });

  it('never lets a display name imitate a selector', () => {
    expect(idsOf([first, [third]])).toEqual([first]);
  });

  it('tolerates names that are special in JavaScript', () => {
    expect(idsOf([first, ['__proto__']], [second, ['constructor']])).toEqual(['__proto__', 'constructor']);
  });
});
