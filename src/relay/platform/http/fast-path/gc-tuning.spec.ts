import { describe, expect, jest, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { GcTuning } from './gc-tuning.js';

/** `work` is a request that arrives, a number a check with so many running. */
function flagsAfter(...happened: ('work' | number)[]): string[] {
  const flags: string[] = [];
  const tuning = new GcTuning(
    3,
    (flag) => flags.push(flag),
    () => 0,
  );
  for (const one of happened) {
    if (one === 'work') tuning.requestArrived();
    else tuning.check(one);
  }
  return flags;
}
const small = '--optimize-for-size';
const fast = '--no-optimize-for-size';

describe('GC tuning', () => {
  test('an idle relay keeps the heap small', () => {
    expect(flagsAfter(0)).toEqual([small]);
  });

  test('the first request switches to throughput at once, and only changes are logged', () => {
    expect(flagsAfter(0, 0, 'work', 'work', 5, 2)).toEqual([small, fast]);
  });

  test('only a long pause between requests switches back', () => {
    expect(flagsAfter('work', 0, 0, 0, 'work', 0, 0, 0)).toEqual([fast]);
    expect(flagsAfter('work', 0, 0, 0, 0, 'work')).toEqual([fast, small, fast]);
  });

  test('running requests count as work', () => {
    expect(flagsAfter('work', 1, 1, 1, 1, 1, 1)).toEqual([fast]);
  });

  test('checks run until the heap is small, and again from the next request on', () => {
    jest.useFakeTimers();
    try {
      const flags: string[] = [];
      const tuning = new GcTuning(
        3,
        (flag) => flags.push(flag),
        () => 0,
      );
      let running = 0;
      tuning.watch(() => running);
      jest.advanceTimersByTime(1_000);
      expect(flags.splice(0)).toEqual([small]);
      expect(jest.getTimerCount()).toBe(0);
      running = 1;
      tuning.requestArrived();
      jest.advanceTimersByTime(60_000);
      expect(flags.splice(0)).toEqual([fast]);
      expect(jest.getTimerCount()).toBe(1);
      running = 0;
      jest.advanceTimersByTime(4_000);
      expect(flags.splice(0)).toEqual([small]);
      expect(jest.getTimerCount()).toBe(0);
      tuning.requestArrived();
      tuning.stop();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test('the young generation stops at 64 MiB, and may grow again when V8 has shrunk it', () => {
    let youngMib = 0;
    const flags: string[] = [];
    const tuning = new GcTuning(
      3,
      (flag) => flags.push(flag),
      () => youngMib * 1024 * 1024,
    );
    const after = (mib: number): string[] => {
      youngMib = mib;
      tuning.check(1);
      return flags.splice(0);
    };
    expect(after(32)).toEqual([fast]);
    expect(after(64)).toEqual(['--semi-space-growth-factor=1']);
    expect(after(64)).toEqual([]);
    expect(after(2)).toEqual(['--semi-space-growth-factor=2']);
    expect(after(2)).toEqual([]);
  });

  test('V8 applies the flags at run time', () => {
    const [peakSmall, peakFast] = [small, fast].map((flag) => peakBytes(flag, 'total'));
    expect(peakSmall).toBeGreaterThan(0);
    expect(peakSmall! * 1.5).toBeLessThan(peakFast!);
  });

  test('V8 stops growing the young generation at run time', () => {
    const factors = [1, 2].map((factor) => peakBytes(`--semi-space-growth-factor=${factor}`, 'young'));
    expect(factors[0]).toBeGreaterThan(0);
    expect(factors[0]! * 1.5).toBeLessThan(factors[1]!);
  });
});

/** Of a process that holds 50 MB and throws away what has become old. */
function peakBytes(flag: string, part: 'total' | 'young'): number {
  // Enough for the peaks to differ by more than the factor that is asked for.
  const turns = part === 'total' ? 30_000 : 6_000;
  const size =
    part === 'total'
      ? 'v8.getHeapStatistics().total_heap_size'
      : "v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size";
  const script = `
    const v8 = require('node:v8');
    v8.setFlagsFromString('${flag}');
    const kept = Array.from({ length: 60 }, () => new Array(100_000).fill(0).map((_, index) => index + 0.5));
    const ring = new Array(4_000);
    let peak = 0;
    for (let turn = 0; turn < ${turns}; turn += 1) {
      ring[turn % ring.length] = Array.from({ length: 250 }, (_, key) => ({ key }));
      if (turn % 500 === 0) peak = Math.max(peak, ${size});
    }
    console.log(kept.length > 0 ? peak : 0);
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return Number(stdout);
}
