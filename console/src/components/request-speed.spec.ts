import { describe, expect, it } from '@jest/globals';
import { speedOf, speedReason } from './request-speed';

const timed = { output_tokens: 11, ttft_ms: 100, duration_ms: 1_100, stream: true };

describe('the speed of a request', () => {
  it('is that of the tokens after the first one', () => {
    expect(speedOf(timed)).toBe(10);
    expect(speedOf({ ...timed, duration_ms: 120 })).toBeNull();
  });

  it('has a reason where it is not known', () => {
    expect(speedReason({ ...timed, stream: false, ttft_ms: null })).toBe('not measured: not streamed');
    expect(speedReason({ ...timed, duration_ms: 120 })).toBe('too short to measure');
    expect(speedReason({ ...timed, ttft_ms: null })).toBe('not measured');
  });
});
