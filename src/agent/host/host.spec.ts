import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import type { GpuReport } from '../../link/messages.js';
import { statusMessage } from '../../link/messages.js';
import { appleGpu, parseNvidiaSmi, readGpus } from './gpus.js';
import { parseVmStat, readHostMemory, type HostMemory } from './host-memory.js';
import { HostMonitor } from './host-monitor.js';

const GIB = 2 ** 30;

describe('memory of the computer', () => {
  it('memory of the computer is measured within the total', async () => {
    const { totalBytes, freeBytes } = await readHostMemory();
    expect(totalBytes).toBeGreaterThan(64 * 2 ** 20);
    expect(freeBytes).toBeGreaterThan(0);
    expect(freeBytes).toBeLessThanOrEqual(totalBytes);
  });

  it('includes reclaimable memory on macOS', () => {
    const text = [
      'Mach Virtual Memory Statistics: (page size of 16384 bytes)',
      'Pages free:                                1000.',
      'Pages active:                              9000.',
      'Pages inactive:                            2000.',
      'Pages speculative:                          300.',
      'Pages wired down:                          5000.',
      'Pages purgeable:                             50.',
    ].join('\n');
    expect(parseVmStat(text)).toBe(3350 * 16384);
    expect(parseVmStat('vm_stat: no such thing')).toBeUndefined();
  });
});

describe('graphics processors', () => {
  it('graphics processors are read from nvidia-smi', () => {
    expect(parseNvidiaSmi('NVIDIA GeForce RTX 4090, 24564, 21003\nNVIDIA T4, 15360, [N/A]\n')).toEqual([
      { name: 'NVIDIA GeForce RTX 4090', total_bytes: 24_564 * 2 ** 20, free_bytes: 21_003 * 2 ** 20 },
      { name: 'NVIDIA T4', total_bytes: 15_360 * 2 ** 20, free_bytes: null },
    ]);
  });

  it.each(['', 'No devices were found\n', 'NVIDIA GB10, [N/A], [N/A]\n', 'a, b, c\n'])(
    'graphics processors are none in %j',
    (text) => {
      expect(parseNvidiaSmi(text)).toEqual([]);
    },
  );

  it('graphics processors are at most 16', () => {
    expect(parseNvidiaSmi('X, 1, 1\n'.repeat(100))).toHaveLength(16);
  });

  it('graphics processors share the memory of the host on Apple silicon', () => {
    const memory = { totalBytes: 64 * GIB, freeBytes: 20 * GIB };
    expect(appleGpu('darwin', 'arm64', 'Apple M3 Max', memory)).toEqual({
      name: 'Apple M3 Max',
      total_bytes: 64 * GIB,
      free_bytes: 20 * GIB,
      unified: true,
    });
    expect(appleGpu('darwin', 'x64', 'Intel', memory)).toBeUndefined();
  });

  it('graphics processors are none, without a failure, where no tool reports them', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = '/nonexistent';
    try {
      expect(await readGpus({ totalBytes: 1, freeBytes: 1 })).toEqual([]);
    } finally {
      process.env['PATH'] = path;
    }
  });
});

describe('the monitor', () => {
  const clock = new ManualClock();
  let memory: HostMemory;
  let gpus: readonly GpuReport[];
  let asked: string[];
  let monitor: HostMonitor;
  let changes: number;
  beforeEach(() => {
    memory = { totalBytes: 64 * GIB, freeBytes: 40 * GIB };
    gpus = [{ name: 'A', total_bytes: 24 * GIB, free_bytes: 20 * GIB }];
    asked = [];
    changes = 0;
    monitor = new HostMonitor(clock, {
      memory: () => {
        asked.push('memory');
        return Promise.resolve(memory);
      },
      gpus: () => {
        asked.push('gpus');
        return Promise.resolve(gpus);
      },
    });
    monitor.changed$.subscribe(() => (changes += 1));
  });
  const after = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await monitor.tick();
  };

  it('reports nothing before it has measured, in the form of STATUS', async () => {
    expect(monitor.report()).toEqual({ memory_free_bytes: null });
    await monitor.tick();
    const status = { engines: [], paused: false, draining: false, ...monitor.report() };
    expect(statusMessage.parse(status)).toEqual({
      ...status,
      memory_total_bytes: 64 * GIB,
      memory_free_bytes: 40 * GIB,
      gpus,
    });
  });

  it('measures memory every ten seconds and graphics processors every minute', async () => {
    await monitor.tick();
    for (let second = 0; second < 60; second += 1) await after(1_000);
    expect(asked.filter((what) => what === 'memory')).toHaveLength(7);
    expect(asked.filter((what) => what === 'gpus')).toHaveLength(2);
  });

  it('reports only noticeable changes', async () => {
    await monitor.tick();
    memory = { ...memory, freeBytes: memory.freeBytes - GIB / 2 };
    await after(10_000);
    expect([changes, monitor.report().memory_free_bytes]).toEqual([1, 40 * GIB]);
    memory = { ...memory, freeBytes: memory.freeBytes - GIB };
    await after(10_000);
    expect([changes, monitor.report().memory_free_bytes]).toEqual([2, 38.5 * GIB]);
    gpus = [{ name: 'A', total_bytes: 24 * GIB, free_bytes: 2 * GIB }];
    await after(60_000);
    expect([changes, monitor.report().gpus]).toEqual([3, gpus]);
  });

  it('names how an engine computes on a graphics processor, and adds those that only an engine sees', async () => {
    const own: GpuReport = { name: 'B', total_bytes: 8 * GIB, free_bytes: 8 * GIB, backend: 'vulkan' };
    let used: readonly GpuReport[] = [];
    const sources = { memory: () => Promise.resolve(memory), gpus: () => Promise.resolve(gpus), usedGpus: () => used };
    monitor = new HostMonitor(clock, sources);
    await after(10_000);
    expect(monitor.report().gpus).toEqual(gpus);
    used = [{ ...own, name: 'A', total_bytes: 23 * GIB }];
    await after(10_000);
    expect(monitor.report().gpus).toEqual([{ ...gpus[0], backend: 'vulkan' }]);
    used = [own];
    await after(10_000);
    expect(monitor.report().gpus).toEqual([...gpus, own]);
  });

  it('measures once at a time', async () => {
    clock.advance(60_000);
    await Promise.all([monitor.tick(), monitor.tick()]);
    expect(asked).toEqual(['memory', 'gpus']);
  });
});
