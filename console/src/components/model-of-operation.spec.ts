import { describe, expect, it } from '@jest/globals';
import { modelOfOperation } from './model-of-operation';
import type { Node } from './node-facts';

const node = (id: string, names: readonly string[]) => ({
  node_id: id,
  models: names.map((name) => ({
    selector: `mdl_${id}_${name}`,
    display_name: name.toUpperCase(),
    key: `ollama/${name}`,
  })) as unknown as Node['models'],
});
const nodes = [node('nod_1', ['qwen3:8b', 'gemma3:4b']), node('nod_2', ['qwen3:8b'])];
const asked = { node_id: 'nod_2', model: null, model_key: null, source: null };

describe('the model of an operation', () => {
  it('is found by the name that was asked for, first on its own computer', () => {
    expect(modelOfOperation({ ...asked, model: 'qwen3:8b' }, nodes)?.selector).toBe('mdl_nod_2_qwen3:8b');
    expect(modelOfOperation({ ...asked, model_key: 'ollama/gemma3:4b' }, nodes)?.selector).toBe('mdl_nod_1_gemma3:4b');
    expect(modelOfOperation({ ...asked, source: 'gemma3:4b' }, nodes)?.display_name).toBe('GEMMA3:4B');
  });

  it('is none where it was not installed', () => {
    expect(modelOfOperation({ ...asked, source: 'no-such-model:7b' }, nodes)).toBeUndefined();
    expect(modelOfOperation(asked, nodes)).toBeUndefined();
  });
});
