import { describe, expect, it } from '@jest/globals';
import { errorKind } from './error-kind';

describe('errorKind', () => {
  it.each([
    ['engine_error', 1, 1, 'Failed'],
    ['engine_timeout', 1, 1, 'Timed out'],
    ['rate_limit_exceeded', 1, 1, 'Rejected'],
    ['draining', 1, 1, 'Failed or rejected'],
    ['draining', 1, 0, 'Failed'],
    ['draining', 0, 1, 'Rejected'],
  ])('of %s, with %d failed and %d rejected requests, is %s', (code, failed, rejected, label) => {
    expect(errorKind(code, { failed, rejected }).label).toBe(label);
  });
});
