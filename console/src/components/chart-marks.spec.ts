import { describe, expect, it } from '@jest/globals';
import { axisLabels, labelledTimes, lonePoints } from './chart-marks';
import { duration } from './format';

const inEnglish = (value: number): string => duration(value, 'en');

describe('axisLabels', () => {
  it('labels each value', () => {
    expect(axisLabels([0, 50, 100], inEnglish)).toEqual(['0 ms', '50 ms', '100 ms']);
  });

  it('labels the first of several values that read the same', () => {
    expect(axisLabels([0, 0.5, 1, 1.4, 2], inEnglish)).toEqual(['0 ms', '1 ms', null, null, '2 ms']);
  });
});

describe('labelledTimes', () => {
  const hour = Array.from({ length: 60 }, (_, minute) => minute);

  it('has as many times as their labels have room, and the last one', () => {
    expect(labelledTimes(hour, 720)).toEqual([5, 11, 17, 23, 29, 35, 41, 47, 53, 59]);
    expect(labelledTimes(hour, 300)).toEqual([14, 29, 44, 59]);
  });

  it('has all of a few', () => {
    expect(labelledTimes([1, 2, 3], 720)).toEqual([1, 2, 3]);
  });
});

describe('lonePoints', () => {
  it('finds values without a neighbour', () => {
    expect(lonePoints([1, null, 2, 3, null, 0])).toEqual([0, 5]);
    expect(lonePoints([null, 7])).toEqual([1]);
    expect(lonePoints([1, 2, 3])).toEqual([]);
  });
});
