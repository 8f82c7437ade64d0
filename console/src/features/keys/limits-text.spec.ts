import { describe, expect, it } from '@jest/globals';
import { limitsText } from './limits-text';

describe('the limits of a key', () => {
  it.each([
    [1, 1, '1 request/min, 1 token/min, 1 at a time'],
    [60, 2, '60 requests/min, 2 tokens/min, 1 at a time'],
    [null, null, '1 at a time'],
  ])('with %p requests and %p tokens per minute are written as %s', (requests, tokens, text) => {
    expect(limitsText({ requests_per_minute: requests, tokens_per_minute: tokens, concurrency: 1 })).toBe(text);
  });

  it('are said to be none', () => {
    expect(limitsText({ requests_per_minute: null, tokens_per_minute: null, concurrency: null })).toBe('no limit yet');
  });
});
