import { describe, expect, it } from '@jest/globals';
import type { Schemas } from '../../../core/api/management-api.types.js';
import { findSource } from './find-source.js';
import { hubSource, parseHubName } from './hub-file.js';
import { isLocalPath } from './local-file.js';
import { byFreeMemory, fits } from './free-memory.js';

type Node = Schemas['Node'];

const node = (name: string, freeGigabytes: number | null): Node =>
  ({
    name,
    memory: freeGigabytes === null ? null : { total_bytes: 64e9, free_bytes: freeGigabytes * 1e9 },
    gpus: [],
  }) as never;
const studio = node('studio', 41);
const laptop = node('laptop', 3);

describe('a computer for a model', () => {
  it('a computer for a model has the most free memory, those of unknown memory last', () => {
    const places = [node('old', null), laptop, studio].map((one) => ({ node: one }));
    expect(byFreeMemory(places, 5e9).map((place) => place.node.name)).toEqual(['studio', 'laptop', 'old']);
  });

  it('fits with a margin of a fifth, and is unknown without both sizes', () => {
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
    ['https://huggingface.co/Qwen/Qwen3-8B-GGUF/', { quantization: undefined, file: undefined }],
    ['hf:Qwen/Qwen3-8B-GGUF/dir/a.gguf', { quantization: undefined, file: 'dir/a.gguf' }],
  ])('a name on Hugging Face is read from %s', (name, parts) => {
    expect(parseHubName(name)).toEqual({ owner: 'Qwen', repository: 'Qwen3-8B-GGUF', ...parts });
  });

  it('rejects other names', () => {
    expect([parseHubName('qwen3:8b'), parseHubName('hf:Qwen')]).toEqual([undefined, undefined]);
  });

  it('a name on Hugging Face is translated to the syntax of each engine', () => {
    const file = { source: 'hf:a/b/c.gguf', quantization: 'Q8_0' };
    const kinds = ['llamacpp', 'ollama', 'lmstudio', 'llama-server', 'vllm'];
    expect(kinds.map((kind) => hubSource(kind, 'a/b', file))).toEqual([
      'hf:a/b/c.gguf',
      'hf.co/a/b:Q8_0',
      'https://huggingface.co/a/b@Q8_0',
      'a/b:Q8_0',
      undefined,
    ]);
  });
});

it.each([
  ['./a.gguf', true],
  ['~/models/a.gguf', true],
  ['/srv/a.gguf', true],
  ['C:\\models\\a.gguf', true],
  ['a.gguf', true],
  ['hf:a/b/c.gguf', false],
  ['https://host/a.gguf', false],
  ['qwen/qwen3-8b', false],
])('a path is distinguished from names: %s', (name, isPath) => {
  expect(isLocalPath(name)).toBe(isPath);
});

describe('the nodes and engines that could install', () => {
  const withEngines = (name: string, ...kinds: string[]): Node =>
    ({
      ...node(name, 8),
      node_id: `nd_${name}`,
      online: true,
      accepts_work: true,
      engines: kinds.map((kind) => ({ name: `my-${kind}`, kind, problem: null })),
    }) as never;
  const nodes = [
    withEngines('studio', 'llamacpp', 'lmstudio', 'ollama'),
    withEngines('lab', 'localai'),
    { ...withEngines('off', 'ollama'), online: false },
  ];
  // Neither asks the relay.
  const none = undefined as never;
  const places = async (name: string, input: { nodeId?: string; engine?: string } = {}): Promise<string[]> => {
    const query = { name, nodes, nodeId: input.nodeId, engine: input.engine };
    const found = await findSource(none, none, query);
    return found.places.map((place) => `${place.node.name} ${place.engine} ${place.source}`);
  };

  it('the nodes and engines that could install are those of the likeliest catalogue for a name', async () => {
    expect(await places('qwen3:8b')).toEqual(['studio my-ollama qwen3:8b']);
    expect(await places('qwen/qwen3-8b')).toEqual(['studio my-lmstudio qwen/qwen3-8b']);
    expect(await places('qwen3-8b', { nodeId: 'nd_lab' })).toEqual(['lab my-localai qwen3-8b']);
    expect(await places('qwen3-8b', { engine: 'my-lmstudio' })).toEqual(['studio my-lmstudio qwen3-8b']);
  });

  it('the nodes and engines that could install are built-in engines for an address', async () => {
    const address = 'https://example.com/x.gguf';
    expect(await places(address)).toEqual([`studio my-llamacpp ${address}`]);
    await expect(places(address, { nodeId: 'nd_lab' })).rejects.toMatchObject({ code: 'no_eligible_node' });
  });

  it('the nodes and engines that could install are none without such an engine: the message names the search', async () => {
    const reason = { code: 'model_not_found', hint: expect.stringContaining('ferry models search qwen3') };
    await expect(places('qwen3', { nodeId: 'nd_none' })).rejects.toMatchObject(reason);
  });
});
