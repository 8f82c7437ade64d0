import { describe, expect, it } from '@jest/globals';
import { speedSoFar } from './running-speed';

describe('the speed of a running request', () => {
  it('counts the tokens after the first one', () => {
    expect(speedSoFar({ output_events: 21, ttft_ms: 1_000, age_ms: 3_000 })).toBe(10);
  });

  it.each([
    ['of a single token', { output_events: 1, ttft_ms: 100, age_ms: 60_000 }],
    ['of a few tokens', { output_events: 4, ttft_ms: 100, age_ms: 2_000 }],
    ['of less than half a second', { output_events: 40, ttft_ms: 100, age_ms: 500 }],
    ['before the first token', { output_events: null, ttft_ms: null, age_ms: 9_000 }],
  ])('%s is not known', (_case, request) => {
    expect(speedSoFar(request)).toBeNull();
  });
});
