import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ObservedRun } from '../http/engine-adapter.js';
import { ParallelRuns } from './parallel-runs.js';

const LONG_MS = 5_000;
const AN_HOUR_MS = 3_600_000;

describe('how many requests Ollama runs at once', () => {
  let runs: ParallelRuns;
  beforeEach(() => {
    jest.useFakeTimers();
    runs = new ParallelRuns();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const writing = (model = 'a'): ObservedRun => {
    const run = runs.begin(model, true);
    run.answered();
    jest.advanceTimersByTime(LONG_MS);
    return run;
  };

  it('is one, and one more is let in while that one writes', () => {
    expect(runs.slots).toBe(1);
    const first = runs.begin('a', true);
    jest.advanceTimersByTime(LONG_MS);
    expect(runs.slots).toBe(1);
    first.answered();
    expect(runs.slots).toBe(1);
    jest.advanceTimersByTime(LONG_MS);
    expect(runs.slots).toBe(2);
    first.over();
    expect(runs.slots).toBe(1);
  });

  it('is learned from requests that are answered beside each other, up to the one that waits', () => {
    const sent: number[] = [];
    runs.slotsChanged$.subscribe(() => sent.push(runs.slots));
    const first = writing();
    const second = writing();
    expect(runs.slots).toBe(3);
    const third = runs.begin('a', true);
    jest.advanceTimersByTime(LONG_MS);
    first.over();
    expect(runs.slots).toBe(2);
    third.answered();
    jest.advanceTimersByTime(LONG_MS);
    expect(runs.slots).toBe(2);
    second.over();
    third.over();
    expect(runs.slots).toBe(2);
    expect(sent).toEqual([2, 3, 2]);
  });

  it('is one for an hour when the second waits for the first', () => {
    const first = writing();
    const second = runs.begin('a', true);
    jest.advanceTimersByTime(LONG_MS);
    first.over();
    second.answered();
    jest.advanceTimersByTime(LONG_MS);
    expect(runs.slots).toBe(1);
    second.over();
    jest.advanceTimersByTime(AN_HOUR_MS);
    writing();
    expect(runs.slots).toBe(2);
  });

  it.each([
    ['another model, which has slots of its own', 'b', true, LONG_MS],
    ['an answer in one piece, which comes at its end', 'a', false, LONG_MS],
    ['one that had no time to read its prompt', 'a', true, 10],
  ])('is not learned from %s', (_why, model, stream, ms) => {
    const first = writing();
    const second = runs.begin(model, stream);
    jest.advanceTimersByTime(ms);
    first.over();
    second.over();
    expect(runs.slots).toBe(1);
    writing();
    expect(runs.slots).toBe(2);
  });

  it('is forgotten when Ollama ends', () => {
    writing();
    writing();
    runs.forget();
    expect(runs.slots).toBe(1);
  });
});
