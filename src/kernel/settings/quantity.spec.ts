import { describe, expect, it } from '@jest/globals';
import { withoutUnit, withUnit } from './quantity.js';

describe('an amount with a unit', () => {
  it.each([
    ['X_MS', '500ms', '500'],
    ['X_MS', '30s', '30000'],
    ['X_MS', '1.1s', '1100'],
    ['X_MS', '5min', '300000'],
    ['X_MS', '5m', '300000'],
    ['X_MS', '12 h', '43200000'],
    ['X_MS', '7d', '604800000'],
    ['X_BYTES', '256MiB', '268435456'],
    ['X_BYTES', '256mib', '268435456'],
    ['X_BYTES', '10MB', '10000000'],
    ['X_BYTES_PER_SECOND', '8KiB/s', '8192'],
    ['X_PER_MINUTE', '5/min', '5'],
    ['X_PER_MINUTE', '10/s', '600'],
    ['X_PER_MINUTE', '300/h', '5'],
    ['X_HOURS', '2d', '48'],
    ['X_DAYS', '30d', '30'],
    ['X_PERCENT', '5%', '5'],
  ])('an amount with a unit of %s: %s is %s', (env, text, amount) => {
    expect(withoutUnit(env, text)).toBe(amount);
  });

  it.each([
    ['X_MS', '30MiB'],
    ['X_BYTES', '30s'],
    ['X_BYTES', '16M'],
    ['X_LIMIT', '30s'],
    ['X_DAYS', '12h'],
    ['X_MS', '-30s'],
    ['X_MS', '30'],
    ['X_MS', 'soon'],
    ['X_MS', ''],
  ])('an amount with a unit of %s: %j is left for the parser of the setting', (env, text) => {
    expect(withoutUnit(env, text)).toBe(text);
  });
});

describe('the spelling of an amount', () => {
  it.each([
    ['X_MS', 15_000, '15s'],
    ['X_MS', 90_000, '90s'],
    ['X_MS', 604_800_000, '7d'],
    ['X_MS', 1_234, '1234ms'],
    ['X_BYTES', 16_777_216, '16MiB'],
    ['X_BYTES', 10_000_000, '10MB'],
    ['X_PER_MINUTE', 3_000, '3000/min'],
    ['X_MS', 0, '0'],
    ['X_LIMIT', 5, '5'],
  ])('the spelling of an amount of %s: %d is %s, and is read back', (env, amount, text) => {
    expect(withUnit(env, amount)).toBe(text);
    expect(withoutUnit(env, text)).toBe(String(amount));
  });
});
