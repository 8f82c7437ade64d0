import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isoTime } from './iso-time.js';

it('formats a time as a date does', () => {
  // In any order: what is remembered of one must not show in the next.
  const times = fc.oneof(
    fc.integer({ min: 0, max: 4e12 }),
    fc.double({ min: 1.7e12, max: 1.7e12 + 3_000, noNaN: true }),
  );
  fc.assert(
    fc.property(times, (unixMs) => {
      expect(isoTime(unixMs)).toBe(new Date(unixMs).toISOString());
    }),
    { numRuns: 1_000 },
  );
});
