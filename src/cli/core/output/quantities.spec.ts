import { describe, expect, it } from '@jest/globals';
import { formatBytes, formatDuration, formatPart, tokenRate } from './quantities.js';

describe('a token rate', () => {
  it('counts the tokens after the first one', () => {
    expect(tokenRate(42, 1_000)).toBe(41);
  });

  it.each([
    ['one token', 1, 1_000],
    ['tokens that came in one piece', 10, 1],
    ['no time at all', 10, 0],
  ])('a token rate is unknown for %s', (_, tokens, decodeMs) => {
    expect(tokenRate(tokens, decodeMs)).toBeNull();
  });
});

describe('quantities', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_300, '1 kB'],
    [1_300_000, '1.3 MB'],
    [5_200_000_000, '5.2 GB'],
    [7_000_000_000_000_000, '7000.0 TB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it('shows a part in the unit of the total', () => {
    expect(formatPart(320_000_000, 5_200_000_000)).toBe('0.3/5.2 GB');
  });

  it.each([
    [-3, '00:00'],
    [41.4, '00:41'],
    [3_723, '1:02:03'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });
});
