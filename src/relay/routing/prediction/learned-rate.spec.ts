import { describe, expect, test } from '@jest/globals';
import { LearnedRate } from './learned-rate.js';

const prior = { msPerToken: 100, contention: 0.3 };
const learned = (value: number, times: number, others = 0): LearnedRate => {
  const rate = new LearnedRate(prior);
  for (let time = 0; time < times; time += 1) rate.observe(value, others, time);
  return rate;
};

describe('a learned rate', () => {
  test('a learned rate is the prior without samples, and accounts for concurrency', () => {
    const rate = new LearnedRate(prior);
    expect(rate.at(0, 0)).toBe(100);
    expect(rate.at(2, 0)).toBeCloseTo(160);
  });

  test('follows samples mostly after the first, fully after many', () => {
    expect(learned(20, 1).at(0, 1)).toBeLessThan(60);
    expect(learned(20, 10).at(0, 10)).toBeLessThan(23);
    expect(learned(20, 30).at(0, 30)).toBeCloseTo(20, 0);
  });

  test('a learned rate is robust against an outlier', () => {
    const rate = learned(20, 10);
    rate.observe(20_000, 0, 11);
    expect(rate.at(0, 12)).toBeLessThan(30);
  });

  test('a learned rate is normalised to a single request', () => {
    expect(learned(26, 40, 1).at(0, 40)).toBeLessThan(23);
  });

  test('learns the slowdown by concurrency', () => {
    const rate = new LearnedRate(prior);
    for (let time = 0; time < 60; time += 1) rate.observe(time % 2 === 0 ? 20 : 80, time % 2 === 0 ? 0 : 3, time);
    expect(rate.at(3, 60) / rate.at(0, 60)).toBeGreaterThan(2.5);
  });

  test('returns to the prior after hours without samples', () => {
    const rate = learned(20, 10);
    expect(rate.at(0, 120_000)).toBeLessThan(25);
    expect(rate.at(0, 6 * 3_600_000)).toBeGreaterThan(90);
  });

  test.each([0, -5, Number.NaN, Infinity])('ignores %p', (value) => {
    const rate = learned(20, 5);
    const before = rate.at(0, 5);
    rate.observe(value, 0, 5);
    expect(rate.at(0, 5)).toBe(before);
  });
});

describe('a restored rate', () => {
  test('predicts as the one that was stored, and decays from its age', () => {
    const stored = learned(20, 10).stored();
    if (stored === null) throw new Error('nothing was observed');
    const restored = new LearnedRate(prior);
    restored.restore(stored, -1_000);
    expect(restored.at(2, 0)).toBe(learned(20, 10).at(2, 10));
    const old = new LearnedRate(prior);
    old.restore(stored, -6 * 3_600_000);
    expect(old.at(0, 0)).toBeGreaterThan(90);
  });

  test('never replaces an observation, and refuses a damaged value', () => {
    const rate = learned(20, 10);
    const before = rate.at(0, 10);
    rate.restore({ msPerToken: 500, contention: 0, observations: 10 }, 0);
    expect(rate.at(0, 10)).toBe(before);
    const fresh = new LearnedRate(prior);
    expect(fresh.stored()).toBeNull();
    fresh.restore({ msPerToken: Number.NaN, contention: 0, observations: 10 }, 0);
    expect(fresh.at(0, 0)).toBe(100);
  });
});
