import { describe, expect, it } from '@jest/globals';
import { figureFormat } from './figure-format';

describe('figureFormat', () => {
  it.each([
    [
      [18, 36.5, 72],
      ['18', '37', '72'],
    ],
    [
      [2.5, 2.27, 4],
      ['2.5', '2.3', '4.0'],
    ],
    [
      [0, 1, 4],
      ['0', '1', '4'],
    ],
    [
      [0, 0.02, 2],
      ['0.0', '< 0.1', '2.0'],
    ],
    [
      [8.41, 17.2, 17.2],
      ['8.4', '17.2', '17.2'],
    ],
  ])('writes %j in the same digits: %j', (figures, texts) => {
    expect(figures.map(figureFormat(figures))).toEqual(texts);
  });
});
