import { describe, expect, test } from '@jest/globals';
import { seeded } from '../../../../bench/simulator/random.js';
import { P95Estimator } from './p95-estimator.js';

const learned = (draw: () => number, times = 2_000): P95Estimator => {
  const tail = new P95Estimator();
  for (let time = 0; time < times; time += 1) tail.observe(draw());
  return tail;
};

describe('the 95th percentile of first events', () => {
  test('converges for narrow and wide distributions', () => {
    for (const spread of [0.2, 2, 10]) {
      const random = seeded(7);
      const draw = (): number => 1 + spread * random();
      const { value } = learned(draw);
      const p95 = 1 + spread * 0.95;
      expect(value).toBeGreaterThan(p95 * 0.75);
      expect(value).toBeLessThan(p95 * 1.25);
    }
  });

  test('the 95th percentile of first events is unknown before twenty samples', () => {
    expect(learned(() => 1, 19).known).toBe(false);
    expect(learned(() => 1, 20).known).toBe(true);
  });

  test('follows a node that has become slower within a few answers', () => {
    const tail = learned(() => 1.1);
    for (let time = 0; time < 10; time += 1) tail.observe(4);
    expect(tail.value).toBeGreaterThan(3.5);
  });

  test('ignores aborts before the percentile, and rises with aborts after it', () => {
    const tail = learned(() => 1.5);
    const before = tail.value;
    tail.observeAtLeast(1);
    expect(tail.value).toBe(before);
    tail.observeAtLeast(before + 1);
    expect(tail.value).toBeGreaterThan(before);
  });

  test('stays within its bounds for any samples', () => {
    expect(learned(() => 0).value).toBe(0.1);
    expect(learned(() => Infinity).value).toBe(50);
  });
});
