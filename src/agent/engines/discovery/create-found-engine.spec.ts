import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../kernel/clock.js';
import type { EngineContext } from '../engine-kind.js';
import { engineKinds } from '../engine-kinds.js';
import { createFoundEngine } from './create-found-engine.js';

const context: EngineContext = {
  env: {},
  directory: '/nowhere',
  userAgent: 'test',
  clock: systemClock,
  log: () => undefined,
};

const made = async (fingerprint: string, url: string, taken: readonly string[] = []): Promise<unknown> => {
  const isFree = (name: string): boolean => !taken.includes(name);
  const engine = await createFoundEngine(fingerprint, new URL(url), isFree, { kinds: engineKinds, context });
  await engine?.stop();
  return engine && [engine.name, engine.kind];
};

describe('a discovered engine', () => {
  it.each([
    ['ollama', 'http://127.0.0.1:11434', 'ollama@127.0.0.1:11434', 'ollama'],
    ['llamacpp-server', 'http://127.0.0.1:8080', 'llama-server@127.0.0.1:8080', 'llama-server'],
    ['llamacpp-router', 'http://127.0.0.1:8080', 'llama-server@127.0.0.1:8080', 'llama-server'],
    ['lmstudio', 'http://127.0.0.1:1234', 'lmstudio@127.0.0.1:1234', 'lmstudio'],
    ['vllm', 'http://127.0.0.1:8000', 'vllm@127.0.0.1:8000', 'vllm'],
    ['sglang', 'http://127.0.0.1:30000', 'sglang@127.0.0.1:30000', 'sglang'],
    ['localai', 'http://127.0.0.1:8080', 'localai@127.0.0.1:8080', 'localai'],
    ['mlx-lm', 'http://127.0.0.1:8080', 'openai@127.0.0.1:8080', 'openai-compatible'],
    ['openai-compatible', 'http://127.0.0.1:1337', 'openai@127.0.0.1:1337', 'openai-compatible'],
  ])('%s at %s is served by its own adapter, else by the generic one', async (fingerprint, url, name, kind) => {
    expect(await made(fingerprint, url)).toEqual([name, kind]);
  });

  it('gets a longer name when its own is taken, and is left out when that is taken, too', async () => {
    const taken = ['openai@[::1]:1337', 'openai-compatible@::1:1337'];
    expect(await made('openai-compatible', 'http://[::1]:1337', taken.slice(0, 1))).toEqual([
      'openai-compatible@::1:1337',
      'openai-compatible',
    ]);
    expect(await made('openai-compatible', 'http://[::1]:1337', taken)).toBeUndefined();
  });
});
