import { describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { HeapPostureSwitch } from './heap-posture.js';

function looks(...work: number[]): string[] {
  const flags: string[] = [];
  const posture = new HeapPostureSwitch(3, (flag) => flags.push(flag));
  for (const one of work) posture.look(one);
  return flags;
}

describe('what the heap is to be good at', () => {
  test('a relay that has just started and does nothing keeps it small', () => {
    expect(looks(0)).toEqual(['--optimize-for-size']);
  });

  test('the first request makes it fast, and only a change is told', () => {
    expect(looks(0, 0, 1, 5, 2)).toEqual(['--optimize-for-size', '--no-optimize-for-size']);
  });

  test('a short pause between requests changes nothing, a long one does', () => {
    expect(looks(1, 0, 0, 1, 0, 0)).toEqual(['--no-optimize-for-size']);
    expect(looks(1, 0, 0, 0, 0, 2)).toEqual([
      '--no-optimize-for-size',
      '--optimize-for-size',
      '--no-optimize-for-size',
    ]);
  });

  test('this version of V8 takes the flags while it runs, and they do what they are for', () => {
    const [small, fast] = ['--optimize-for-size', '--no-optimize-for-size'].map(peakHeapBytes);
    expect(small).toBeGreaterThan(0);
    expect(small! * 1.5).toBeLessThan(fast!);
  });
});

/** Of a process that holds 50 MB and throws away what has become old. */
function peakHeapBytes(flag: string): number {
  const script = `
    const v8 = require('node:v8');
    v8.setFlagsFromString('${flag}');
    const kept = Array.from({ length: 60 }, () => new Array(100_000).fill(0).map((_, index) => index + 0.5));
    const ring = new Array(4_000);
    let peak = 0;
    for (let turn = 0; turn < 60_000; turn += 1) {
      ring[turn % ring.length] = Array.from({ length: 250 }, (_, key) => ({ key }));
      if (turn % 500 === 0) peak = Math.max(peak, v8.getHeapStatistics().total_heap_size);
    }
    console.log(kept.length > 0 ? peak : 0);
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return Number(stdout);
}
