import { describe, expect, it } from '@jest/globals';
import type { Schemas } from '../../core/api/management-api.types.js';
import { byFreeMemory, fits, hubSource, isLoaded, knownModels, matching, parseHubName } from './find-model.js';

type Node = Schemas['Node'];

const model = (selector: string, state: string): Node['models'][number] =>
  ({ key: `files/${selector}`, selector, display_name: selector, engine: 'e', state, size_bytes: 5e9 }) as never;
const node = (name: string, freeGigabytes: number | null, ...models: Node['models']): Node =>
  ({
    node_id: `nd_${name}`,
    name,
    online: true,
    accepts_work: true,
    memory: freeGigabytes === null ? null : { total_bytes: 64e9, free_bytes: freeGigabytes * 1e9 },
    gpus: [],
    models,
  }) as never;
const listed = (id: string, selector: string): Schemas['Model'] => ({ id, selector }) as never;

const models = [listed('qwen3:0.6b', 'small'), listed('qwen3:8b', 'large'), listed('gemma3', 'gone')];
const studio = node('studio', 41, model('large', 'loaded'));
const laptop = node('laptop', 3, model('large', 'installed'), model('small', 'installed'));

describe('the model of a name', () => {
  const known = knownModels(models, [studio, laptop, { ...node('off', 9, model('gone', 'loaded')), online: false }]);

  it('is one on a computer that takes work, loaded ones first', () => {
    expect(known.map((one) => [one.id, isLoaded(one)])).toEqual([
      ['qwen3:8b', true],
      ['qwen3:0.6b', false],
    ]);
  });

  it('is the exact one, by id, selector or key, else every one with the name in it', () => {
    const ids = (name: string): readonly string[] => matching(known, name).map(({ id }) => id);
    expect(ids('QWEN3:8B')).toEqual(['qwen3:8b']);
    expect(ids('small')).toEqual(['qwen3:0.6b']);
    expect(ids('qwen3')).toEqual(['qwen3:8b', 'qwen3:0.6b']);
    expect(ids('llama')).toEqual([]);
  });
});

describe('a computer for a model', () => {
  it('has the most free memory, those of unknown memory last', () => {
    const places = [node('old', null), laptop, studio].map((one) => ({ node: one }));
    expect(byFreeMemory(places, 5e9).map((place) => place.node.name)).toEqual(['studio', 'laptop', 'old']);
  });

  it('fits with a fifth to spare, or is not known', () => {
    expect([fits(studio, 5e9), fits(laptop, 3e9), fits(laptop, null), fits(node('old', null), 1)]).toEqual([
      true,
      false,
      null,
      null,
    ]);
  });
});

describe('a name on Hugging Face', () => {
  it.each([
    ['hf:Qwen/Qwen3-8B-GGUF', { quantization: undefined, file: undefined }],
    ['hf:Qwen/Qwen3-8B-GGUF:Q4_K_M', { quantization: 'Q4_K_M', file: undefined }],
    ['hf:Qwen/Qwen3-8B-GGUF/dir/a.gguf', { quantization: undefined, file: 'dir/a.gguf' }],
  ])('is read from %s', (name, parts) => {
    expect(parseHubName(name)).toEqual({ owner: 'Qwen', repository: 'Qwen3-8B-GGUF', ...parts });
  });

  it('is no other name', () => {
    expect([parseHubName('qwen3:8b'), parseHubName('hf:Qwen')]).toEqual([undefined, undefined]);
  });

  it('is what each engine calls it', () => {
    const file = { source: 'hf:a/b/c.gguf', quantization: 'Q8_0' };
    expect(['llamacpp', 'ollama', 'vllm'].map((kind) => hubSource(kind, 'a/b', file))).toEqual([
      'hf:a/b/c.gguf',
      'hf.co/a/b:Q8_0',
      undefined,
    ]);
  });
});
