import { describe, expect, test } from '@jest/globals';
import type { AttemptForecast } from './attempt-forecast.js';
import type { AttemptEnd } from './attempt-prediction.js';
import { unknownDemand } from './demand.js';
import { waitedInEngineQueue } from '../selection/routing-stats.js';
import { ModelStats } from './model-stats.js';
import { ModelUsageProfile } from './model-usage-profile.js';
import { NodeStats } from './node-stats.js';
import { ratePriors } from './priors.js';

const MS_PER_TOKEN = 0.5;
const end: AttemptEnd = {
  completed: true,
  faultSubject: null,
  firstEventMs: 520,
  totalMs: 5_000,
  inputTokens: 1_000,
  cachedTokens: 0,
  outputTokens: 100,
};
const forecastOf = (model: ModelStats, stream = true): AttemptForecast => ({
  node: new NodeStats(),
  model,
  usageProfile: new ModelUsageProfile(),
  demand: { ...unknownDemand, stream },
  cachedPromptTokens: 0,
  prefillMs: 500,
  decodeMs: 1_000,
  prefillAheadMs: 0,
  othersAtStart: 0,
  foreignAtStart: 0,
  sentAtMs: 0,
  firstEventMs: 520,
  overdueAtMs: 10_000,
  silence: null,
  begun: true,
  respondingTogether: 1,
  over: false,
});
const modelOf = (runs: number): ModelStats => {
  const model = new ModelStats(ratePriors(null, null));
  for (let run = 0; run < runs; run += 1) model.quiet.observe(MS_PER_TOKEN, true, true);
  return model;
};

describe('a queue inside the engine', () => {
  const waited = (firstEventMs: number, others: number, fields: Partial<AttemptEnd> = {}): boolean | null =>
    waitedInEngineQueue(forecastOf(modelOf(3)), { ...end, firstEventMs, ...fields }, others);

  test('a queue inside the engine is not what a longer prompt before it explains', () => {
    const behind = (prefillAheadMs: number): boolean | null =>
      waitedInEngineQueue({ ...forecastOf(modelOf(3)), prefillAheadMs }, { ...end, firstEventMs: 4_000 }, 1);
    expect([behind(0), behind(1_000), behind(4_000)]).toEqual([true, true, false]);
  });

  test('a queue inside the engine is detected when concurrency cannot explain the delay of the first event', () => {
    expect([waited(520, 0), waited(1_000, 1), waited(4_000, 7), waited(9_000, 7)]).toEqual([false, false, false, true]);
  });

  test('a queue inside the engine is not detected in short waits', () => {
    expect(waited(900, 1, { inputTokens: 10 })).toBe(false);
  });

  test('counts only uncached tokens', () => {
    expect(waited(3_000, 1)).toBe(true);
    expect(waited(3_000, 1, { inputTokens: 3_000 })).toBe(false);
    expect(waited(3_000, 1, { inputTokens: 3_000, cachedTokens: 2_900 })).toBe(true);
  });

  test('a queue inside the engine is not judged without data', () => {
    expect(waitedInEngineQueue(forecastOf(modelOf(2)), { ...end, firstEventMs: 9_000 }, 1)).toBeNull();
    expect(waitedInEngineQueue(forecastOf(modelOf(3), false), { ...end, firstEventMs: 9_000 }, 1)).toBeNull();
    expect(waited(9_000, 1, { inputTokens: null })).toBeNull();
  });
});

describe('prefill without contention', () => {
  test('prefill without contention is learned from single runs, and from faster ones with cache counts', () => {
    const { quiet } = modelOf(3);
    quiet.observe(5, false, true);
    quiet.observe(0.1, false, false);
    expect(quiet.msPerToken).toBe(0.5);
    quiet.observe(0.3, false, true);
    expect(quiet.msPerToken).toBeCloseTo(0.4);
    for (let run = 0; run < 30; run += 1) quiet.observe(1, true, true);
    expect(quiet.msPerToken).toBeCloseTo(1, 1);
  });
});
