import { describe, expect, it } from '@jest/globals';
import { readModelName } from './model-name.js';

describe("a model's name at llama-server", () => {
  it.each([
    ['tiny', 'tiny', 'tiny', null],
    ['/models/Qwen3-8B-Q4_K_M.gguf', 'Qwen3-8B-Q4_K_M', 'qwen3-8b', 'Q4_K_M'],
    ['C:\\models\\Qwen3-8B.Q8_0.gguf', 'Qwen3-8B.Q8_0', 'qwen3-8b', 'Q8_0'],
    ['ggml-org/Qwen3-8B-GGUF:Q4_K_M', 'ggml-org/Qwen3-8B-GGUF:Q4_K_M', 'ggml-org/qwen3-8b', 'Q4_K_M'],
    ['unsloth/gpt-oss-20b-GGUF:UD-IQ2_XXS', 'unsloth/gpt-oss-20b-GGUF:UD-IQ2_XXS', 'unsloth/gpt-oss-20b', 'UD-IQ2_XXS'],
    ['Llama-3.3-70B-Q4_K_M-00001-of-00002.gguf', 'Llama-3.3-70B-Q4_K_M', 'llama-3.3-70b', 'Q4_K_M'],
    ['gpt-oss-20b-mxfp4', 'gpt-oss-20b-mxfp4', 'gpt-oss-20b', 'MXFP4'],
    ['random-64', 'random-64', 'random-64', null],
  ])('%s', (id, display, canonical, quantization) => {
    expect(readModelName(id)).toEqual({ display, canonical, quantization });
  });
});
