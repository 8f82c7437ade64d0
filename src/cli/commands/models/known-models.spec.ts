import { describe, expect, it } from '@jest/globals';
import type { Schemas } from '../../core/api/management-api.types.js';
import { isLoaded, knownModels, matching } from './known-models.js';

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

describe('the model with a given name', () => {
  const known = knownModels(models, [studio, laptop, { ...node('off', 9, model('gone', 'loaded')), online: false }]);

  it('the model with a given name is one on a computer that accepts requests, preferably loaded', () => {
    expect(known.map((one) => [one.id, isLoaded(one)])).toEqual([
      ['qwen3:8b', true],
      ['qwen3:0.6b', false],
    ]);
  });

  it('the model with a given name is the exact match by id, selector or key, or else every model whose name contains it', () => {
    const ids = (name: string): readonly string[] => matching(known, name).map(({ id }) => id);
    expect(ids('QWEN3:8B')).toEqual(['qwen3:8b']);
    expect(ids('small')).toEqual(['qwen3:0.6b']);
    expect(ids('qwen3')).toEqual(['qwen3:8b', 'qwen3:0.6b']);
    expect(ids('llama')).toEqual([]);
  });
});
