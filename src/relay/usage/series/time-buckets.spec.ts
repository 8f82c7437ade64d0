import { describe, expect, it } from '@jest/globals';
import { bucketsBetween, MOST_BUCKETS } from './time-buckets.js';

const starts = (since: string, until: string, size: 'hour' | 'day', zone = 'UTC'): string[] =>
  bucketsBetween(new Date(since), new Date(until), size, zone).map((start) => start.toISOString());

describe('buckets of a time zone', () => {
  it('buckets of a time zone begin at the midnight before the range and leave no day out', () => {
    expect(starts('2026-01-30T10:00:00Z', '2026-02-01T00:00:00Z', 'day')).toEqual([
      '2026-01-30T00:00:00.000Z',
      '2026-01-31T00:00:00.000Z',
    ]);
  });

  it('buckets of a time zone follow the zone, also where its offset has minutes', () => {
    expect(starts('2026-01-30T19:00:00Z', '2026-01-31T19:00:00Z', 'day', 'Asia/Kolkata')).toEqual([
      '2026-01-30T18:30:00.000Z',
      '2026-01-31T18:30:00.000Z',
    ]);
  });

  it('buckets of a time zone have 23 and 25 hours where the clock changes', () => {
    expect(starts('2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z', 'day', 'Europe/Berlin')).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(starts('2026-10-25T12:00:00Z', '2026-10-26T12:00:00Z', 'day', 'Europe/Berlin')).toEqual([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ]);
  });

  it('buckets of a time zone are hours of UTC, whatever the zone', () => {
    expect(starts('2026-01-01T10:20:00Z', '2026-01-01T12:00:00Z', 'hour', 'Asia/Kolkata')).toEqual([
      '2026-01-01T10:00:00.000Z',
      '2026-01-01T11:00:00.000Z',
    ]);
  });

  it('buckets of a time zone are bounded, and refuse an unknown zone', () => {
    expect(() => starts('2020-01-01', '2026-01-01', 'hour')).toThrow(String(MOST_BUCKETS));
    expect(() => starts('2026-01-01', '2026-01-02', 'day', 'Mars/Olympus')).toThrow('time_zone');
  });
});
