import { expect, it } from '@jest/globals';
import type { NodeView } from '../../nodes/nodes.service.js';
import { startersOf } from './starters-of-node.js';

const GB = 1_000_000_000;

const nodeWith = (kinds: readonly string[], models: readonly { key: string; sizeBytes: number | null }[] = []) =>
  ({ engines: kinds.map((kind) => ({ name: `my ${kind}`, kind })), models }) as unknown as NodeView;

it('starter models are named as the engines of the node install them, and other engines have none', () => {
  const starters = startersOf(nodeWith(['ollama', 'llamacpp', 'vllm']), new Map());
  const sources = (engine: string) => starters.filter((one) => one.engine === engine).map(({ source }) => source);
  expect(sources('my ollama')).toContain('qwen3:8b');
  expect(sources('my llamacpp')).toContain('hf:Qwen/Qwen3-8B-GGUF/Qwen3-8B-Q4_K_M.gguf');
  expect(sources('my llamacpp').every((source) => /^hf:[\w.-]+\/[\w.-]+\/[\w.-]+\.gguf$/.test(source))).toBe(true);
  expect(sources('my vllm')).toEqual([]);
  expect(starters.every(({ tokensPerSecond }) => tokensPerSecond === null)).toBe(true);
});

it('starter models are expected to be as fast as the weights of the nearest measured model were read', () => {
  const node = nodeWith(
    ['ollama'],
    [
      { key: 'ollama/a', sizeBytes: 5.2 * GB },
      { key: 'ollama/b', sizeBytes: 40 * GB },
      { key: 'ollama/tiny', sizeBytes: 1_000_000 },
      { key: 'ollama/unknown', sizeBytes: null },
    ],
  );
  const times = new Map([
    ['ollama/a', 20],
    ['ollama/b', 400],
    ['ollama/tiny', 1],
    ['ollama/unknown', 1],
  ]);
  const speeds = new Map(startersOf(node, times).map(({ source, tokensPerSecond }) => [source, tokensPerSecond]));
  expect(speeds.get('qwen3:8b')).toBeCloseTo(50);
  expect(speeds.get('qwen3:4b')).toBeCloseTo(104);
  // A mixture of experts reads a part of its weights for each token.
  expect(speeds.get('qwen3:30b')).toBeGreaterThan(100);
  expect(speeds.get('qwen3:32b')).toBeCloseTo(5);
});

it('starter models that embed come after those that chat, without an expected speed', () => {
  const node = nodeWith(['ollama', 'llamacpp'], [{ key: 'ollama/a', sizeBytes: 5.2 * GB }]);
  const starters = startersOf(node, new Map([['ollama/a', 20]]));
  for (const engine of ['my ollama', 'my llamacpp']) {
    const own = starters.filter((one) => one.engine === engine);
    const embedding = own.filter((one) => one.embedding);
    expect(embedding.length).toBeGreaterThan(1);
    expect(own.slice(-embedding.length)).toEqual(embedding);
    expect(embedding.map(({ tokensPerSecond }) => tokensPerSecond)).toEqual(embedding.map(() => null));
  }
});
