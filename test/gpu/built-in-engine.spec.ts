/**
 * The built-in engine on a Vulkan device. llvmpipe of Mesa is one that computes on the processor: slow, but with layers, memory and failures like
 * any other (docs/reference/engines.md#graphics-processor).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { LlamacppEngineOptions } from '../../src/agent/engines/llamacpp/llamacpp-engine.js';
import { probeGpu } from '../../src/agent/engines/llamacpp/gpu/probe.js';
import type { OperationProgress } from '../../src/agent/engines/engine-management.js';
import { ask, contentOf, tinyFile, TinyEngine } from '../support/engine/tiny-engine.js';

jest.setTimeout(120_000);

const directory = path.resolve('engines/llamacpp-vulkan');
const entry = path.join(directory, 'node_modules/node-llama-cpp/dist/index.js');
/** ggml leaves devices of this kind out unless they are named. */
const DEVICE = { GGML_VK_VISIBLE_DEVICES: '0' };
const LLVMPIPE = /llvmpipe/;
const PROMPTS = ['Hello', 'Count to 5', 'What is your name?'];

let folder: string;
let lines: string[];
let freeGpuBytes: number | undefined;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ferry-gpu-'));
  Object.assign(process.env, DEVICE);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Small: every batch size is a shader, and llvmpipe compiles each anew. */
const start = (options: Partial<LlamacppEngineOptions> = {}): Promise<TinyEngine> => {
  lines = [];
  return TinyEngine.start({
    gpu: 'vulkan',
    gpuDirectory: () => ({ directory, isInstalled: true }),
    env: process.env,
    slots: 1,
    contextTokens: 512,
    batchTokens: 32,
    // With it, llvmpipe of Mesa 22.3 ends the process.
    flashAttention: false,
    log: (_level, line) => lines.push(line),
    ...options,
  });
};

describe('the built-in engine on a Vulkan device', () => {
  let gpu: TinyEngine;
  let expected: readonly string[];
  beforeAll(async () => {
    const processor = await start({ gpu: 'off' });
    expected = await responsesOf(processor);
    expect(processor.models).toMatchObject([{ device: 'processor', memory: { vram_bytes: 0 } }]);
    expect(processor.engine.usedGpus).toEqual([]);
    await processor.stop();
    gpu = await start({ gpu: 'auto', freeGpuBytes: () => freeGpuBytes ?? 2 ** 31 });
  });
  afterAll(async () => {
    await gpu.stop();
  });

  it('the built-in engine on a Vulkan device is found, tried in a process of its own, and named', () => {
    expect(lines[0]).toBe('Vulkan device 0 found, to be used with Vulkan');
    expect(lines[1]).toMatch(/^llvmpipe .*computes with Vulkan; tried in \d/);
    expect(gpu.models).toMatchObject([{ device: expect.stringMatching(LLVMPIPE) }]);
  });

  it('holds all layers of the model, and both kinds of memory are told', () => {
    const [model] = gpu.models;
    expect(model?.gpu_layers).toEqual({ on_gpu: 5, total: 5 });
    // The weights, the KV cache of one slot and the buffers.
    expect(model?.memory?.vram_bytes).toBeGreaterThan(2_000_000);
    expect(model?.memory?.vram_bytes).toBeLessThan(60_000_000);
    expect(model?.memory?.ram_bytes).toBeLessThan(20_000_000);
  });

  it('the built-in engine on a Vulkan device is reported with its memory and what uses it', () => {
    expect(gpu.engine.usedGpus).toEqual([
      {
        name: expect.stringMatching(LLVMPIPE),
        total_bytes: 2 ** 31,
        free_bytes: expect.any(Number),
        backend: 'vulkan',
      },
    ]);
  });

  it('answers as the processor does', async () => {
    expect(await responsesOf(gpu)).toEqual(expected);
    expect(contentOf(await gpu.streamed({ messages: ask('Count to 5') }))).toBe('1, 2, 3, 4, 5');
  });

  it('keeps the layers on the processor that do not fit, says so, and prepares the device', async () => {
    const { management } = gpu.engine;
    const phases = new Set<string>();
    const context = progressInto(phases);
    await management.unload?.('tiny', context);
    freeGpuBytes = 1_300_000;
    await management.load?.('tiny', {}, context);
    freeGpuBytes = undefined;
    const [reported] = [...phases].filter((phase) => phase.startsWith('loading,'));
    const [, onGpu] = /^loading, (\d) of 5 layers fit on llvmpipe/.exec(reported ?? '') ?? [];
    expect(Number(onGpu)).toBeLessThan(5);
    await management.unload?.('tiny', context);
    phases.clear();
    await management.load?.('tiny', {}, context);
    expect([...phases]).toEqual(['loading', 'preparing the graphics processor, N s']);
    expect(contentOf(await gpu.streamed({ messages: ask('Count to 5') }))).toBe('1, 2, 3, 4, 5');
  });
});

describe('a number of layers that the owner sets', () => {
  it('a number of layers that the owner sets is used, and refused with the figures of both memories where it does not fit', async () => {
    const engine = await start({ gpuLayers: 2, freeGpuBytes: () => freeGpuBytes ?? 2 ** 31 });
    try {
      expect(engine.models).toMatchObject([
        { gpu_layers: { on_gpu: 2, total: 5 }, device: expect.stringMatching(/llvmpipe.*, processor$/) },
      ]);
      expect(lines.some((line) => /^tiny: 2 of 5 layers fit on llvmpipe/.test(line))).toBe(true);
      expect(contentOf(await engine.streamed({ messages: ask('Count to 5') }))).toBe('1, 2, 3, 4, 5');
      const { management } = engine.engine;
      const context = progressInto(new Set());
      await management.unload?.('tiny', context);
      freeGpuBytes = 100_000;
      const failure: unknown = await management.load?.('tiny', {}, context).catch((error: unknown) => error);
      freeGpuBytes = undefined;
      expect(failure).toMatchObject({
        code: 'out_of_memory',
        message: expect.stringMatching(
          /^it needs on the graphics processor, with 2 of 5 layers there, about .* KB for the weights and .* for 512 tokens of context in 1 slot, .* of reserve; 100\.0 KB are free; in main memory about .* are free\. Unload/,
        ),
      });
    } finally {
      await engine.stop();
    }
  });
});

const progressInto = (phases: Set<string>) => ({
  signal: new AbortController().signal,
  report: ({ phase }: OperationProgress) => void phases.add(phase.replace(/\d+ s$/, 'N s')),
});

describe('the processor computes', () => {
  const served = async (options: Partial<LlamacppEngineOptions>): Promise<readonly string[]> => {
    const engine = await start(options);
    try {
      expect(engine.models).toMatchObject([{ state: 'loaded', device: 'processor', memory: { vram_bytes: 0 } }]);
      expect(await engine.message({ messages: ask('Hello') })).toMatchObject({
        content: 'Hello! How can I help you today?',
      });
      return lines.filter((line) => /processor/.test(line));
    } finally {
      await engine.stop();
    }
  };

  it('where the driver crashes: the child dies, and one line says why', async () => {
    const crash = path.join(folder, 'crash.cjs');
    // As a driver would: while the backend is used. The binding tries itself in a further process first.
    writeFileSync(
      crash,
      `const load = process.dlopen;
       process.dlopen = (...words) => {
         load.apply(process, words);
         if (process.env.TEST_BINDING_CP === undefined) process.kill(process.pid, 'SIGSEGV');
       };`,
    );
    expect(await served({ env: { ...process.env, NODE_OPTIONS: `--require ${crash}` } })).toEqual([
      'the graphics processor crashed its driver (SIGSEGV); the processor computes',
    ]);
  });

  it('where the driver cannot be loaded', async () => {
    const driver = path.join(folder, 'none.json');
    writeFileSync(
      driver,
      JSON.stringify({ file_format_version: '1.0.0', ICD: { library_path: '/nonexistent.so', api_version: '1.3.0' } }),
    );
    expect(await served({ env: { ...process.env, VK_DRIVER_FILES: driver, VK_ICD_FILENAMES: driver } })).toEqual([
      expect.stringMatching(/^the graphics processor .*; the processor computes$/),
    ]);
  });

  it('where no device is there, although the backend loads', async () => {
    const result = await probeGpu({
      backend: 'vulkan',
      entry,
      modelPath: tinyFile,
      flashAttention: false,
      // llvmpipe without being named.
      env: { ...process.env, GGML_VK_VISIBLE_DEVICES: undefined },
    });
    expect(result).toEqual({ works: false, reason: 'is not seen by its driver' });
  });

  it('where its packages are not installed', async () => {
    expect(await served({ gpuDirectory: () => ({ directory: folder, isInstalled: false }) })).toEqual([
      `the packages for Vulkan are not installed: run "npm ci --ignore-scripts" in ${folder}; the processor computes`,
    ]);
  });
});

const responsesOf = (engine: TinyEngine): Promise<string[]> =>
  PROMPTS.reduce<Promise<string[]>>(async (before, content) => {
    const responses = await before;
    const { content: response } = await engine.message({ messages: ask(content), max_tokens: 12 });
    return [...responses, response ?? ''];
  }, Promise.resolve([]));
