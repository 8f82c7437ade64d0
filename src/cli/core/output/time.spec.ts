import { describe, expect, it } from '@jest/globals';
import { localMinute, relativeTime, timeColumn } from './time.js';

const nowMs = Date.parse('2025-11-20T10:15:00.000Z');
const now = nowMs / 1_000;

describe('times in columns', () => {
  it.each([
    [0, '0 s ago'],
    [59, '59 s ago'],
    [60, '1 min ago'],
    [7_300, '2 h ago'],
    [-90, 'in 1 min'],
    [-86_399, 'in 23 h'],
  ])('%d seconds ago are %s', (seconds, text) => {
    expect(relativeTime(now - seconds, nowMs)).toBe(text);
  });

  it('times in columns are dates from a day on', () => {
    for (const seconds of [86_400, -86_400]) {
      expect(relativeTime(now - seconds, nowMs)).toBe(localMinute(now - seconds));
    }
  });

  it('times in columns are dates in a pipe, and empty when missing', () => {
    const recent = Date.now() / 1_000 - 5;
    expect(timeColumn({ columns: undefined })(recent)).toBe(localMinute(recent));
    expect(timeColumn({ columns: 80 })(recent)).toMatch(/^\d s ago$/);
    expect(timeColumn({ columns: 80 })(null)).toBe('');
  });
});
