import { describe, expect, it } from '@jest/globals';
import { ofShelf, type Starter } from './starter-order';

const GB = 1_000_000_000;
const starter = (name: string, size: number, members: Partial<Starter> = {}): Starter =>
  ({ name, size_bytes: size * GB, embedding: false, ...members }) as Starter;
const computer = { memory: { total_bytes: 32 * GB, free_bytes: 10 * GB } };
const namesOf = (starters: readonly Starter[]) => ofShelf(starters, computer).map(({ name }) => name);

describe('the shelf of recommended models', () => {
  it('begins with the largest that fits now, and leaves out what does not fit', () => {
    const all = [starter('small', 1), starter('busy', 20), starter('huge', 60), starter('good', 8)];
    expect(namesOf(all)).toEqual(['good', 'small', 'busy']);
  });

  it('does not begin with what the processor computes slowly', () => {
    const engines = [{ name: 'one', kind: 'llamacpp' }];
    const all = [starter('small', 1), starter('good', 8), starter('medium', 4)].map((one) => ({
      ...one,
      engine: 'one',
      tokens_per_second: null,
    }));
    const gpus = [{ total_bytes: 32 * GB, free_bytes: 10 * GB, unified: true, backend: 'metal' }];
    const orderOn = (more: object) => ofShelf(all, { ...computer, engines, ...more }).map(({ name }) => name);
    expect(orderOn({ gpus: [] })).toEqual(['small', 'medium', 'good']);
    expect(orderOn({ gpus })).toEqual(['good', 'medium', 'small']);
    expect(orderOn({ engines: [{ name: 'one', kind: 'ollama' }] })).toEqual(['good', 'medium', 'small']);
  });

  it('ends with at most two that embed', () => {
    const embedding = ['a', 'b', 'c'].map((name, index) => starter(name, 3 - index, { embedding: true }));
    expect(namesOf([...embedding, starter('small', 1)])).toEqual(['small', 'a', 'b']);
  });
});
