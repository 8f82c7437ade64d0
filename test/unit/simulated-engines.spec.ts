import { describe, expect, test } from '@jest/globals';
import { BatchingEngine } from '../../bench/simulator/batching-engine.js';
import type { Engine } from '../../bench/simulator/engine.js';
import { SharingEngine } from '../../bench/simulator/sharing-engine.js';
import { VirtualTime } from '../../bench/simulator/virtual-time.js';

const traits = {
  name: 'engine',
  slots: 2,
  prefillTokensPerSecond: 1_000,
  decodeTokensPerSecond: 10,
  contention: 0,
  roundTripMs: 0,
  chunkTokens: 100,
  kvTokens: 10_000,
  cachedPrompts: 8,
  contextTokens: null,
};

/** A random number that makes every first token take the median of 15 ms. */
const noNoise = (): number => 0.75;

interface ReceivedResponse {
  beganAtMs?: number;
  endedAtMs?: number;
  cached?: number;
}

const ask = (
  engine: Engine,
  time: VirtualTime,
  conversation: string,
  promptTokens: number,
  outputTokens: number,
): ReceivedResponse & { cancel: () => void } => {
  const prompt = { conversation, group: 'group', systemTokens: 0, promptTokens, outputTokens };
  const response: ReceivedResponse & { cancel: () => void } = { cancel: () => undefined };
  response.cancel = engine.start(prompt, {
    begun: (cached) => {
      response.beganAtMs = Math.round(time.monotonicMs());
      response.cached = cached;
    },
    finished: () => (response.endedAtMs = Math.round(time.monotonicMs())),
  });
  return response;
};

const engines = {
  sharing: (time: VirtualTime, changes = {}) => new SharingEngine({ ...traits, ...changes }, time),
  batching: (time: VirtualTime, changes = {}) => new BatchingEngine({ ...traits, ...changes }, time, noNoise),
};

describe.each(Object.entries(engines))('a %s engine', (_name, start) => {
  test('prefills, then produces one token after the other', () => {
    const time = new VirtualTime();
    const response = ask(start(time), time, 'a', 400, 11);
    time.run();
    expect(response).toMatchObject({ beganAtMs: 415, endedAtMs: 1_415, cached: 0 });
  });

  test('skips the part of a prompt that it has cached', () => {
    const time = new VirtualTime();
    const engine = start(time);
    ask(engine, time, 'a', 400, 11);
    time.run();
    const next = ask(engine, time, 'a', 511, 11);
    time.run();
    expect(next).toMatchObject({ cached: 411, beganAtMs: 1_415 + 115 });
  });

  test('lets requests beyond its slots wait in order, and fills the place of one that is cancelled', () => {
    const time = new VirtualTime();
    const engine = start(time);
    const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map((name) => ask(engine, time, name, 100, 101));
    time.after(1_000, () => {
      expect(engine.load).toEqual({ running: 2, waiting: 2 });
      second?.cancel();
    });
    time.run();
    expect(second?.endedAtMs).toBeUndefined();
    expect(third?.beganAtMs).toBeGreaterThan(1_000);
    expect(third?.beganAtMs).toBeLessThan(first?.endedAtMs ?? 0);
    expect(fourth?.beganAtMs).toBeGreaterThanOrEqual(first?.endedAtMs ?? Infinity);
  });

  test('never answers once it is wedged', () => {
    const time = new VirtualTime();
    const engine = start(time, { wedgesAtMs: 500 });
    const response = ask(engine, time, 'a', 400, 11);
    time.run();
    expect(response.beganAtMs).toBe(415);
    expect(response.endedAtMs).toBeUndefined();
    expect(engine.wedged).toBe(true);
  });
});

describe('a batching engine', () => {
  test('computes a chunk of a prompt in each step, for which the other requests wait', () => {
    const time = new VirtualTime();
    const engine = engines.batching(time);
    const first = ask(engine, time, 'a', 100, 101);
    time.after(2_000, () => ask(engine, time, 'b', 1_000, 2));
    time.run();
    // Its 100 further tokens take 10 s alone, and ten chunks of 100 ms have come between.
    expect(first.endedAtMs).toBe(115 + 10_000 + 1_000);
  });

  test('takes the place of the youngest request when its KV cache is full, and computes it again', () => {
    const time = new VirtualTime();
    const engine = engines.batching(time, { kvTokens: 1_050, cachedPrompts: 0 });
    const first = ask(engine, time, 'a', 500, 101);
    const second = ask(engine, time, 'b', 500, 101);
    time.run();
    expect(first.endedAtMs).toBeLessThan(12_000);
    expect(second.endedAtMs).toBeGreaterThan((first.endedAtMs ?? 0) + 500);
  });
});
