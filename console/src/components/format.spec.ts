import { describe, expect, it } from '@jest/globals';
import {
  bytes,
  bytesPerSecond,
  clock,
  count,
  countOf,
  cutMiddle,
  duration,
  exactTime,
  logTime,
  percent,
  relativeTime,
  shortCount,
  sinceTime,
  tokensPerSecond,
} from './format';

describe('sizes and counts', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1 kB'],
    [5_200_000_000, '5.2 GB'],
    [41_300_000_000, '41 GB'],
    [999_999, '1,000 kB'],
  ])('writes %d bytes as %s', (value, text) => expect(bytes(value, 'en')).toBe(text));

  it('follows the locale', () => {
    expect(bytes(5_200_000_000, 'de')).toBe('5,2\u00a0GB');
    expect(count(12_345, 'de')).toBe('12.345');
  });

  it('writes unknown values as a dash, and zero as zero', () => {
    for (const format of [bytes, bytesPerSecond, clock, count, duration, percent, shortCount, tokensPerSecond]) {
      expect(format(null)).toBe('–');
      expect(format(undefined)).toBe('–');
    }
    expect(count(0, 'en')).toBe('0');
    expect(tokensPerSecond(Infinity)).toBe('–');
    expect(percent(NaN)).toBe('–');
  });

  it('counts one thing in the singular', () => {
    expect([0, 1, 12_345].map((value) => countOf(value, 'request', 'en'))).toEqual([
      '0 requests',
      '1 request',
      '12,345 requests',
    ]);
  });

  it('shortens large counts only', () => {
    expect(shortCount(950, 'en')).toBe('950');
    expect(shortCount(12_345, 'en')).toBe('12.3K');
  });

  it('writes rates', () => {
    expect(bytesPerSecond(88_000_000, 'en')).toBe('88 MB/s');
    expect(tokensPerSecond(41.52, 'en')).toBe('41.5 tok/s');
    expect(percent(0.404, 'en')).toBe('40%');
  });
});

describe('durations', () => {
  it.each([
    [4, '4 ms'],
    [190, '190 ms'],
    [10_440, '10.4 s'],
    [185_000, '3 min 5 s'],
    [180_000, '3 min'],
    [7_800_000, '2 h 10 min'],
    [600, '600 ms'],
    [59_970, '60.0 s'],
    [3 * 86_400_000 + 3_600_000, '3 d 1 h'],
  ])('writes %d ms as %s', (value, text) => expect(duration(value, 'en')).toBe(text));

  it.each([
    [36, '0:36'],
    [3_729, '1:02:09'],
    [-3, '0:00'],
  ])('writes %d s left as %s', (value, text) => expect(clock(value)).toBe(text));
});

describe('times', () => {
  const now = Date.UTC(2026, 10, 22, 14, 2, 31);
  it.each([
    [0, 'just now'],
    [-45_000, 'just now'],
    [45_000, 'in 45 s'],
    [-5 * 60_000, '5 min ago'],
    [-2 * 3_600_000, '2 h ago'],
    [2 * 3_600_000, 'in 2 h'],
    [-3 * 86_400_000, 'Nov 19'],
    [-400 * 86_400_000, 'Oct 18, 2025'],
  ])('writes %d ms from now as %s', (difference, text) => {
    expect(relativeTime(new Date(now + difference), now, 'en', 'UTC')).toBe(text);
  });

  it('keeps words in English, and dates in the locale of the browser', () => {
    const ago = (minutes: number): string => relativeTime(now / 1_000 - minutes * 60, now, 'de', 'UTC');
    expect([ago(3), ago(125), ago(-125)]).toEqual(['3 min ago', '2 h ago', 'in 2 h']);
    expect(ago(3 * 1_440)).toBe('19. Nov.');
  });

  it.each([
    [-45_000, '14:01:46'],
    [-14 * 3_600_000, '00:02:31'],
    [-15 * 3_600_000, '21 Nov, 23:02'],
  ])('writes %d ms from now in a log as %s', (difference, text) => {
    expect(logTime(new Date(now + difference), now, 'en-GB', 'UTC')).toBe(text);
  });

  it.each([
    [-45_000, '14:01'],
    [-15 * 3_600_000, '21 Nov, 23:02'],
  ])('writes %d ms from now as the beginning of a state as %s', (difference, text) => {
    expect(sinceTime(new Date(now + difference), now, 'en-GB', 'UTC')).toBe(text);
  });

  it('reads seconds since 1970 and ISO 8601 alike', () => {
    expect(exactTime(now / 1_000, 'en-GB', 'UTC')).toBe(exactTime('2026-11-22T14:02:31Z', 'en-GB', 'UTC'));
  });
});

describe('cutMiddle', () => {
  it('keeps both ends', () => {
    expect(cutMiddle('Qwen3-30B-A3B-Instruct-Q4_K_M.gguf', 21)).toBe('Qwen3-30B-…4_K_M.gguf');
    expect(cutMiddle('short', 21)).toBe('short');
  });
});
