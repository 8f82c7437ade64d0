import { describe, expect, it } from '@jest/globals';
import { canonicalOllamaName, isCloudModel, sameOllamaModel } from './model-name.js';

describe('the canonical name of an Ollama model', () => {
  it.each([
    ['qwen3:8b', 'qwen3:8b'],
    ['Qwen3:8B', 'qwen3:8b'],
    ['llama3', 'llama3'],
    ['llama3:latest', 'llama3'],
    ['LLaMA3:Latest', 'llama3'],
    ['library/llama3:latest', 'llama3'],
    ['registry.ollama.ai/library/llama3:8b', 'llama3:8b'],
    ['registry.ollama.ai/me/mine:latest', 'me/mine'],
    ['me/mine:latest', 'me/mine'],
    ['hf.co/Bartowski/Llama-3.2-1B-Instruct-GGUF:Q4_K_M', 'hf.co/bartowski/llama-3.2-1b-instruct-gguf:q4_k_m'],
    ['latest', 'latest'],
    ['latest:latest', 'latest'],
    ['me/library:latest', 'me/library'],
  ])('the canonical name of an Ollama model of %s is %s', (name, canonical) => {
    expect(canonicalOllamaName(name)).toBe(canonical);
  });

  it('stays within the limits of the link', () => {
    expect(canonicalOllamaName('a'.repeat(1_000))).toHaveLength(200);
  });

  it('compares equal for two spellings of one model', () => {
    expect(sameOllamaModel('llama3', 'Llama3:latest')).toBe(true);
    expect(sameOllamaModel('llama3:8b', 'llama3:70b')).toBe(false);
  });
});

describe('a model of the cloud', () => {
  it.each<[string, Record<string, unknown>]>([
    ['gpt-oss:120b-cloud', {}],
    ['kimi-k2:cloud', {}],
    ['mine', { remote_model: 'gpt-oss:120b' }],
    ['mine', { remote_host: 'https://ollama.com:443' }],
  ])('a model of the cloud is recognised by its name or remote host: %s %j', (name, entry) => {
    expect(isCloudModel(name, entry)).toBe(true);
  });

  it.each(['cloud', 'cloudy:8b', 'my-cloud-model:7b'])('a model of the cloud is not %s', (name) => {
    expect(isCloudModel(name, { remote_model: '', remote_host: null })).toBe(false);
  });
});
