import { describe, expect, it } from '@jest/globals';
import { timeTicks } from './chart-times';

/** Local times, so that the zone of the machine does not matter. */
const seconds = (...parts: [month: number, day: number, hour?: number, minute?: number]): number => {
  const [month, day, hour = 0, minute = 0] = parts;
  return new Date(2026, month - 1, day, hour, minute).getTime() / 1_000;
};

const buckets = (first: number, count: number, step: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index * step);
const days = (month: number, day: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => seconds(month, day + index));

const labels = (times: readonly number[], widthPx: number, labelPx = 55): readonly string[] =>
  timeTicks({ times, widthPx, labelWidth: () => labelPx, locale: 'en-GB' }).map(({ label }) => label);

describe('timeTicks', () => {
  it('names quarters of an hour, whenever the hour began', () => {
    const hour = buckets(seconds(12, 1, 5, 33), 60, 60);
    expect(labels(hour, 330)).toEqual(['5:45', '6:00', '6:15']);
    expect(labels(hour, 700)).toEqual(['5:40', '5:50', '6:00', '6:10', '6:20', '6:30']);
  });

  it('names whole hours of a day, and its midnight by the day that begins', () => {
    const day = buckets(seconds(11, 30, 7), 24, 3_600);
    expect(labels(day, 320)).toEqual(['12:00', '18:00', '1 Dec']);
    expect(labels(day, 640)).toEqual(['9:00', '12:00', '15:00', '18:00', '21:00', '1 Dec', '3:00']);
  });

  it('names the midnights of a week, of buckets that are hours', () => {
    const week = buckets(seconds(11, 24, 6, 30), 168, 3_600);
    expect(labels(week, 720)).toEqual(['25 Nov', '26 Nov', '27 Nov', '28 Nov', '29 Nov', '30 Nov', '1 Dec']);
  });

  it('names days, the last one among them, and Mondays of many', () => {
    expect(labels(days(11, 25, 7), 1_100)).toHaveLength(7);
    expect(labels(days(11, 25, 7), 320, 40)).toEqual(['25 Nov', '27 Nov', '29 Nov', '1 Dec']);
    expect(labels(days(11, 2, 30), 320)).toEqual(['9 Nov', '16 Nov', '23 Nov']);
    expect(labels(days(9, 3, 90), 320, 40)).toEqual(['7 Sept', '5 Oct', '2 Nov']);
  });

  it('names no time whose label would not stand within the drawing', () => {
    const hour = buckets(seconds(12, 1, 5, 33), 60, 60);
    expect(labels(hour, 330, 90)).toEqual(['6:00', '6:20']);
    expect(labels(hour, 330, 400)).toEqual([]);
  });
});
