import { describe, expect, it } from '@jest/globals';
import { gapAfterEllipsis } from './cut-gap';

/** Each character is 10 px wide, and the ellipsis 12 px. */
const gapIn = (placePx: number): number => gapAfterEllipsis(placePx, 12, 8, (characters) => characters * 10);

describe('gapAfterEllipsis', () => {
  it('is none where everything has room', () => {
    expect(gapIn(80)).toBe(0);
  });

  it('is what the last character that has no room leaves', () => {
    expect(gapIn(52)).toBe(0);
    expect(gapIn(61)).toBe(9);
    expect(gapIn(62)).toBe(0);
    expect(gapIn(79)).toBe(7);
  });

  it('is none where not even the ellipsis has room', () => {
    expect(gapIn(8)).toBe(0);
  });
});
