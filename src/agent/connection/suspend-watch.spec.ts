import { beforeEach, describe, expect, it } from '@jest/globals';
import { SuspendWatch } from './suspend-watch.js';

let monotonicMs: number;
let wallMs: number;
let watch: SuspendWatch;
const clock = { monotonicMs: () => monotonicMs, wallMs: () => wallMs };

beforeEach(() => {
  monotonicMs = 5_000;
  wallMs = 1_700_000_000_000;
  watch = new SuspendWatch({ clock, intervalMs: 1_000, gapMs: 15_000 });
});

/** @param monotonic milliseconds that each clock shows more */
const after = (monotonic: number, wall = monotonic): boolean => {
  monotonicMs += monotonic;
  wallMs += wall;
  return watch.resumed();
};

describe('a suspend', () => {
  it.each<[string, number, number]>([
    ['a suspend with a monotonic clock that stands still', 1_000, 600_000],
    ['a suspend with a monotonic clock that goes on', 600_000, 600_000],
    ['a stopped process', 16_500, 16_500],
    ['a wall clock that was set forward', 1_000, 20_000],
    ['a wall clock that was set back', 1_000, -3_600_000],
  ])('a suspend is noticed once: %s', (_, monotonic, wall) => {
    expect(after(1_000)).toBe(false);
    expect(after(monotonic, wall)).toBe(true);
    expect(after(1_000)).toBe(false);
  });

  it.each<[string, number, number]>([
    ['a timer that is late on a busy computer', 14_000, 14_000],
    ['a correction of the wall clock', 1_000, 9_000],
    ['a correction backwards', 1_000, -9_000],
  ])('a suspend is not %s', (_, monotonic, wall) => {
    expect(after(monotonic, wall)).toBe(false);
  });

  it('a suspend is not the sum of many small corrections', () => {
    for (let second = 0; second < 100; second += 1) expect(after(1_000, 2_000)).toBe(false);
  });
});
