import { expect, it } from '@jest/globals';
import { limitsOf, type LoadedModel } from '../models/loaded-models.js';
import { chosen } from './choose-model.js';
import type { ConnectableProgram } from './program-names.js';
import { programOf } from './programs/program-of.js';
import { warningsOf } from './warnings.js';

const model = (id: string, contextTokens: number | null, more: Partial<LoadedModel> = {}): LoadedModel => ({
  id,
  selector: `mdl_${id}`,
  ...limitsOf(contextTokens),
  images: false,
  tools: true,
  isTrial: false,
  ...more,
});

const texts = (id: string, loaded: readonly LoadedModel[], program: ConnectableProgram = 'claude'): readonly string[] =>
  warningsOf(programOf(program, { HOME: '/home/ada' }, false), {
    baseUrl: 'http://127.0.0.1:8787',
    apiKey: 'sk-ferry-x',
    asDefault: false,
    ...chosen(id, loaded),
  }).flatMap(({ text, advice }) => [text.replaceAll(/\s/g, ' '), advice]);

it('warns below 48,000 tokens of context, which an agent fills with its first prompt', () => {
  expect(texts('qwen3:8b', [model('qwen3:8b', 32_768)])).toEqual([
    'qwen3:8b has 32 768 tokens of context; agents begin with up to 45 000.',
    'ferry models load qwen3:8b --context 65536',
  ]);
  expect(texts('qwen3:8b', [model('qwen3:8b', 48_000)])).toEqual([]);
  expect(texts('qwen3:8b', [model('qwen3:8b', 8_192)], 'openwebui')).toEqual([]);
});

it('warns of the model that is only for trying out, and whether nothing else is loaded', () => {
  const tiny = model('tiny', 131_072, { isTrial: true });
  expect(texts('tiny', [tiny])[0]).toMatch(/^Only tiny is loaded: /);
  expect(texts('tiny', [model('qwen3:8b', 65_536), tiny])[0]).toMatch(/^This is tiny: /);
  expect(texts('qwen3:8b', [model('qwen3:8b', 65_536), tiny])).toEqual([]);
});

it('warns where the context is unknown, and of a model that is not loaded', () => {
  expect(texts('a', [model('a', null)])[0]).toBe('The engine does not say the context of a: Claude Code assumes one.');
  expect(texts('b', [model('a', 65_536)])).toEqual([
    'b is not loaded: its context is not known.',
    'ferry models load b',
  ]);
});

it('warns of a model that calls no tools', () => {
  expect(texts('a', [model('a', 65_536, { tools: false })])[0]).toBe('a calls no tools; Claude Code works with them.');
  expect(texts('a', [model('a', 65_536, { tools: null })])).toEqual([]);
});
