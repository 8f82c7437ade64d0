import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sizes, writeRandomModel } from '../../scripts/gpu-check/random-model.mjs';
import { table } from '../../scripts/gpu-check/table.mjs';
import { ask, TinyEngine, tinyFile } from '../support/engine/tiny-engine.js';

describe('the random model of the check of graphics processors', () => {
  let folder: string;
  let file: string;
  let bytes: number;
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'ferry-random-model-'));
    file = path.join(folder, 'tiny.gguf');
    bytes = writeRandomModel(file, sizes.nano, tinyFile);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('the random model of the check of graphics processors is as large as told', () => {
    expect(statSync(file).size).toBe(bytes);
  });

  it('answers with as many tokens as asked for, all of them letters', async () => {
    const engine = await TinyEngine.start({ modelsDirectory: folder, slots: 1, contextTokens: 512 });
    try {
      const { choices, usage } = await engine.whole({ messages: ask('Hello'), max_tokens: 40 });
      expect(usage.completion_tokens).toBe(40);
      expect(choices[0]?.finish_reason).toBe('length');
      expect(choices[0]?.message.content).toMatch(/^[a-z]+$/);
    } finally {
      await engine.stop();
    }
  });
});

describe('the table of the check', () => {
  const results = {
    date: '2026-11-27T18:00:00Z',
    processor: '16 × a processor, 128 GiB',
    driver: [{ name: 'NVIDIA H200', driver: '580', totalBytes: 150e9, usedBytes: 0 }],
    engine: 'llama.cpp',
    settings: { sequences: [1, 8], tokens: 128, slotTokens: 2_048, rounds: 3 },
    starts: [{ seconds: 3, screen: '', secondsUntilLoaded: 21 }],
    models: {
      '1gb': {
        sequences: { 1: { tokensPerSecond: 380 }, 8: { tokensPerSecond: 90 } },
        prefill: { tokensPerSecond: 9_000 },
        llamaBench: [
          { flashAttention: false, decode: 350, prefill: 9_500 },
          { flashAttention: true, decode: 400, prefill: 10_000 },
        ],
        llamaServer: { sequences: [{ sequences: 8, decode: 100, rounds: [90, 100] }], prefill: 12_000 },
        batchedBench: [{ sequences: 1, decode: 300, flashAttention: true }],
        memory: {
          reported: { ram_bytes: 100e6, vram_bytes: 1.5e9 },
          device: 'NVIDIA H200',
          layers: { on_gpu: 17, total: 17 },
          driverBytes: 1.6e9,
        },
        firstLoadSeconds: 2,
      },
    },
    outOfMemory: null,
    notMeasured: ['7gb: left out'],
  };

  it('compares with the best that llama.cpp itself does, and says nothing where one of both is missing', () => {
    const text = table(results);
    expect(text).toContain('| 1gb | Ferry | 380 | 90.0 | 9,000 |');
    expect(text).toContain('|  | llama-server | – | 100 | 12,000 |\n|  | share | – | 90 % | 75 % |');
    expect(text).toContain('|  | benches | 400 | – | 10,000 |');
    expect(text).toContain('|  | share | 95 % | – | 90 % |');
  });

  it('the table of the check has reported memory beside that of the driver, and what was not measured', () => {
    const text = table(results);
    expect(text).toContain('| 1gb | NVIDIA H200 | 17 of 17 | 1.50 GB | 1.60 GB | 0.10 GB | 2.0 s | – |');
    expect(text).toContain('- 7gb: left out');
    expect(text).toContain('Starts: 3.0 s, tiny loaded after 21.0 s');
  });
});
