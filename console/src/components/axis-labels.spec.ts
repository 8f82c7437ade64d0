import { describe, expect, it } from '@jest/globals';
import { axisLabels } from './axis-labels';
import { duration } from './format';

const inEnglish = (value: number): string => duration(value, 'en');

describe('axisLabels', () => {
  it('labels each value', () => {
    expect(axisLabels([0, 50, 100], inEnglish)).toEqual(['0 ms', '50 ms', '0.10 s']);
  });

  it('labels the first of several values that read the same', () => {
    expect(axisLabels([0, 0.5, 1, 1.4, 2], inEnglish)).toEqual(['0 ms', '1 ms', null, null, '2 ms']);
  });
});
