import { describe, expect, it } from '@jest/globals';
import { readNativeList, readOldList } from './inventory.js';

const still = () => undefined;
const native = (...models: object[]) => readNativeList({ models }, still);
const old = (...data: object[]) => readOldList({ data }, still);

/** Documented, not recorded. */
const gemma = {
  type: 'llm',
  publisher: 'google',
  key: 'Google/Gemma-4-26B',
  display_name: 'Gemma 4 26B A4B',
  architecture: 'gemma4',
  quantization: { name: 'Q4_K_M', bits_per_weight: 4 },
  size_bytes: 17_990_911_801,
  params_string: '26B-A4B',
  loaded_instances: [
    { id: 'google/gemma', config: { context_length: 4_096, parallel: 4 } },
    { id: 'google/gemma:2', config: { context_length: 8_192 } },
  ],
  max_context_length: 262_144,
  format: 'gguf',
  capabilities: { vision: true, trained_for_tool_use: true, reasoning: { allowed_options: ['off', 'on'] } },
};

describe('the native list of LM Studio', () => {
  it('the native list of LM Studio has all traits of a model, and the instance with the longest context', () => {
    expect(native(gemma)).toEqual([
      {
        model: {
          engine_model: 'Google/Gemma-4-26B',
          display_name: 'Gemma 4 26B A4B',
          canonical_name: 'google/gemma-4-26b',
          digest: null,
          quantization: 'Q4_K_M',
          size_bytes: 17_990_911_801,
          context_length: 8_192,
          state: 'loaded',
          dialects: ['chat', 'completions'],
          inputs: ['text', 'image'],
          tools: true,
          reasoning: true,
          embedding: false,
        },
        instances: [
          { id: 'google/gemma:2', contextTokens: 8_192, parallel: null },
          { id: 'google/gemma', contextTokens: 4_096, parallel: 4 },
        ],
        format: 'gguf',
      },
    ]);
  });

  it('lists unloaded models as installed, with their possible context', () => {
    const [read] = native({ ...gemma, loaded_instances: [] }) ?? [];
    expect(read?.model).toMatchObject({ state: 'installed', context_length: 262_144 });
  });

  it('the native list of LM Studio does not offer embedding models for chat', () => {
    const [read] = native({ ...gemma, type: 'embedding', capabilities: undefined }) ?? [];
    expect(read?.model).toMatchObject({ embedding: true, dialects: [], tools: null, reasoning: null });
  });

  it.each(['loading', 'unloading'] as const)('shows a model as %s during the operation', (state) => {
    expect(readNativeList({ models: [gemma] }, () => state)?.[0]?.model.state).toBe(state);
  });

  it('the native list of LM Studio is empty when missing, and tolerates malformed entries', () => {
    expect(readNativeList({ error: 'Unexpected endpoint or method.' }, still)).toBeUndefined();
    expect(
      native({}, { key: 5 }, { key: 'a', loaded_instances: [null, { id: 5 }, { id: 'x', config: 3 }] }),
    ).toMatchObject([{ model: { engine_model: 'a', state: 'loaded' }, instances: [{ id: 'x', contextTokens: null }] }]);
  });
});

describe('the older list of LM Studio', () => {
  const entry = {
    id: 'qwen3-8b',
    type: 'vlm',
    quantization: 'Q4_K_M',
    max_context_length: 40_960,
    compatibility_type: 'mlx',
  };

  it('recognises a loaded model by its state', () => {
    const loaded = { ...entry, state: 'loaded', loaded_context_length: 4_096, capabilities: ['tool_use'] };
    expect(old(loaded)).toMatchObject([
      {
        model: {
          state: 'loaded',
          context_length: 4_096,
          inputs: ['text', 'image'],
          tools: true,
          quantization: 'Q4_K_M',
        },
        instances: [{ id: 'qwen3-8b' }],
        format: 'mlx',
      },
    ]);
    expect(old({ ...entry, state: 'not-loaded' })).toMatchObject([
      { model: { state: 'installed', context_length: 40_960, tools: null }, instances: [] },
    ]);
  });

  it('recognises embedding models', () => {
    expect(old({ ...entry, type: 'embeddings' })?.[0]?.model).toMatchObject({ embedding: true, dialects: [] });
  });

  it('the older list of LM Studio is empty when missing', () => {
    expect(readOldList({}, still)).toBeUndefined();
  });
});
