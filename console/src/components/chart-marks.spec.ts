import { describe, expect, it } from '@jest/globals';
import { capacityLines, lonePoints, valueLines } from './chart-marks';
import { duration } from './format';

const inEnglish = (value: number): string => duration(value, 'en');

describe('valueLines', () => {
  const whole = (value: number): string => value.toFixed(0);

  it('ends at or above the largest value', () => {
    expect(valueLines(100, 200, whole)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(valueLines(101, 200, whole)).toEqual([0, 50, 100, 150]);
    expect(valueLines(4_100, 200, inEnglish)).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000]);
  });

  it('has as many lines as have room', () => {
    expect(valueLines(100, 80, whole)).toEqual([0, 50, 100]);
    expect(valueLines(100, 20, whole)).toEqual([0, 100]);
  });

  it('has no two labels that read the same', () => {
    expect(valueLines(2, 200, whole)).toEqual([0, 1, 2]);
    expect(valueLines(1, 200, whole)).toEqual([0, 1]);
    expect(valueLines(0.09, 200, whole)).toEqual([0, 1]);
    expect(valueLines(0.4, 80, whole)).toEqual([0, 1]);
  });

  it('has an axis for zeros', () => {
    expect(valueLines(0, 200, whole)).toEqual([0, 1]);
  });
});

describe('capacityLines', () => {
  const slots = (value: number): number[] => capacityLines({ value, unit: 1 }, 124);

  it('ends at the capacity, in equal parts of whole slots', () => {
    expect(slots(1)).toEqual([0, 1]);
    expect(slots(4)).toEqual([0, 2, 4]);
    expect(slots(5)).toEqual([0, 5]);
    expect(slots(6)).toEqual([0, 2, 4, 6]);
    expect(slots(16)).toEqual([0, 8, 16]);
  });

  it('ends at a capacity that is no whole number of units', () => {
    expect(capacityLines({ value: 23.6, unit: 1 }, 124).at(-1)).toBe(23.6);
    expect(capacityLines({ value: 0.4, unit: 1 }, 124)).toEqual([0, 0.4]);
  });
});

describe('lonePoints', () => {
  it('finds values without a neighbour', () => {
    expect(lonePoints([1, null, 2, 3, null, 0])).toEqual([0, 5]);
    expect(lonePoints([null, 7])).toEqual([1]);
    expect(lonePoints([1, 2, 3])).toEqual([]);
  });
});
