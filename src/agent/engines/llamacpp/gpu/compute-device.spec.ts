import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../../../test/support/clock/manual-clock.js';
import { enginePackageDirectory } from '../../../../../test/support/engine/tiny-engine.js';
import { startComputeDevice } from './compute-device.js';
import { GpuRecord } from './gpu-record.js';
import { probeGpu, type ProbeOptions, type ProbeResult } from './probe.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ferry-device-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const DEVICE = {
  devices: [{ name: 'A', slow: false, files: [], closed: [] }],
  vulkanLoader: true,
  vulkanDrivers: ['x'],
};
const probeOf = (program: string, env = {}): Promise<ProbeResult> =>
  probeGpu({
    backend: 'vulkan',
    entry: 'none',
    modelPath: undefined,
    flashAttention: true,
    env,
    timeoutMs: 1_000,
    program: ['/bin/sh', '-c', program],
  });

describe('the trial of a graphics processor', () => {
  it.each([
    ['a crash of the driver', 'kill -SEGV $$', { reason: 'crashed its driver (SIGSEGV)', crashed: true }],
    ['a driver that hangs', 'exec sleep 30', { reason: 'did not answer within 1 s' }],
    ['an error', 'echo "Error: no driver" >&2; exit 1', { reason: 'cannot be used: Error: no driver' }],
    ['no device', `echo 'ferry-probe:{"devices":[]}'`, { reason: 'is not seen by its driver' }],
    ['a program that cannot be started', 'exit 127', { reason: 'cannot be used: exit code 127' }],
  ])('ends with %s', async (_what, program, expected) => {
    expect(await probeOf(program)).toEqual({ works: false, ...expected });
  });

  it('names the devices', async () => {
    expect(await probeOf(`echo noise; echo 'ferry-probe:{"devices":["A"]}'`)).toEqual({ works: true, devices: ['A'] });
  });
});

describe('the processor computes', () => {
  const lines: string[] = [];
  const started = async (isInstalled: boolean, probe: (options: ProbeOptions) => Promise<ProbeResult>) => {
    lines.length = 0;
    const device = await startComputeDevice({
      setting: 'vulkan',
      directory: enginePackageDirectory,
      gpuDirectory: () => ({ directory: enginePackageDirectory, isInstalled }),
      probeModel: undefined,
      recordFile: path.join(folder, 'gpu.json'),
      maxThreads: 1,
      flashAttention: undefined,
      env: {},
      clock: new ManualClock(),
      log: (_level, line) => lines.push(line),
      graphics: () => Promise.resolve(DEVICE),
      probe,
    });
    await device.llama.dispose();
    expect(device.gpu).toBeUndefined();
    return lines.at(-1);
  };

  it('where the driver crashes, with flash attention and without, and one line says why', async () => {
    const tried: boolean[] = [];
    const line = await started(true, ({ flashAttention }) => {
      tried.push(flashAttention);
      return Promise.resolve({ works: false, reason: 'crashed its driver (SIGSEGV)', crashed: true });
    });
    expect(line).toBe('the graphics processor crashed its driver (SIGSEGV); the processor computes');
    expect(tried).toEqual([true, false]);
  });

  it('where the packages are missing, without a trial', async () => {
    const line = await started(false, () => Promise.reject(new Error('tried')));
    expect(line).toMatch(
      /^the packages for Vulkan are not installed: run "npm ci --ignore-scripts" in .*; the processor computes$/,
    );
  });
});

describe('the record of unclean ends', () => {
  const clock = new ManualClock();
  const file = (): string => path.join(folder, 'node', 'gpu.json');
  const begin = (): Promise<string | undefined> => new GpuRecord(file(), clock).begin();

  it('pauses the use after three within a quarter of an hour, for a day', async () => {
    for (let start = 0; start < 3; start += 1) expect(await begin()).toBeUndefined();
    expect(await begin()).toMatch(
      /^the node ended 3 times while it used the graphics processor: .* delete .*gpu\.json$/,
    );
    clock.advance(23 * 3_600_000);
    expect(await begin()).toMatch(/^the node ended/);
    clock.advance(2 * 3_600_000);
    expect(await begin()).toBeUndefined();
  });

  it('the record of unclean ends does not count ends in order, nor unclean ones that are far apart', async () => {
    for (let start = 0; start < 10; start += 1) {
      const record = new GpuRecord(file(), clock);
      expect(await record.begin()).toBeUndefined();
      if (start % 2 === 0) await record.ended();
      clock.advance(8 * 60_000);
    }
  });
});
