/** Which times the axis of a chart names: whole minutes, hours, days and weeks of the reader's calendar, the same in all charts of one stretch. */

/** Seconds since 1970. */
export type TimeRange = readonly [from: number, to: number];

export interface TimeTick {
  readonly at: number;
  readonly label: string;
}

interface TimeAxis {
  /** Of buckets, ascending. */
  readonly times: readonly number[];
  readonly widthPx: number;
  readonly labelWidth: (label: string) => number;
  /** Default: that of the browser. */
  readonly locale?: string;
}

const MINUTE = 60;
const DAY = 86_400;
interface Step {
  readonly seconds: number;
  readonly isDays: boolean;
}

const STEPS: readonly Step[] = [
  ...[1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 720].map((minutes) => ({
    seconds: minutes * MINUTE,
    isDays: false,
  })),
  ...[1, 2, 7, 14, 28].map((days) => ({ seconds: days * DAY, isDays: true })),
];
/** Of a bucket. Where clocks are changed, a day has 23 or 25 hours. */
const LEAST_SHARE = 0.9;
/** Between two labels. */
const GAP_PX = 10;
/** Of a ring, the largest point, with a pixel around it. */
const HALF_POINT_PX = 8;

/** Half a bucket on either side, so that the first and the last bar are whole; at least half a point, which is whole then, too. */
export function timeRange(times: readonly number[], widthPx: number): TimeRange {
  const [first = 0, second = first + 3_600] = times;
  const last = times.at(-1) ?? first;
  const side = Math.max((second - first) / 2, ((last - first) * HALF_POINT_PX) / widthPx);
  return [first - side, last + side];
}

/** As many as have room, and none whose label would not stand within the drawing. */
export function timeTicks({ times, widthPx, labelWidth, locale }: TimeAxis): readonly TimeTick[] {
  const range = timeRange(times, widthPx);
  const [from, to] = range;
  const secondsPerPx = (to - from) / widthPx;
  const [first = 0, second = first] = times;
  // A time between two buckets would stand between two bars.
  const least = Math.max(GAP_PX * secondsPerPx, (second - first) * LEAST_SHARE);
  for (const step of STEPS.filter(({ seconds }) => seconds >= least)) {
    const ats = step.isDays ? midnights(range, step.seconds / DAY) : partsOfDays(range, step.seconds);
    const ticks = ats.map((at) => ({ at, label: labelOf(at, step.isDays, locale) }));
    const widest = Math.max(0, ...ticks.map(({ label }) => labelWidth(label)));
    if ((widest + GAP_PX) * secondsPerPx > step.seconds) continue;
    return ticks.filter(({ at, label }) => Math.min(at - from, to - at) / secondsPerPx >= labelWidth(label) / 2);
  }
  return [];
}

function partsOfDays([from, to]: TimeRange, step: number): readonly number[] {
  const start = new Date(from * 1_000);
  const found: number[] = [];
  for (let part = 0; ; part += 1) {
    // By the clock of the place, also after it was changed.
    const at =
      new Date(start.getFullYear(), start.getMonth(), start.getDate(), 0, (part * step) / MINUTE).getTime() / 1_000;
    if (at > to) return found;
    if (at >= from && at > (found.at(-1) ?? 0)) found.push(at);
  }
}

/** The last day is one of them, or of weeks the last Monday. */
function midnights([from, to]: TimeRange, step: number): readonly number[] {
  const last = new Date(to * 1_000);
  const sinceMonday = (last.getDay() + 6) % 7;
  const found: number[] = [];
  for (let day = last.getDate() - (step < 7 ? 0 : sinceMonday); ; day -= step) {
    const at = new Date(last.getFullYear(), last.getMonth(), day).getTime() / 1_000;
    if (at < from) return found.toReversed();
    found.push(at);
  }
}

const isMidnight = (date: Date): boolean => date.getHours() === 0 && date.getMinutes() === 0;

/** "Dec 1", or "6:30 PM". Among times of day, midnight is named by the day that begins. */
function labelOf(at: number, isDay: boolean, locale: string | undefined): string {
  const date = new Date(at * 1_000);
  const options: Intl.DateTimeFormatOptions =
    isDay || isMidnight(date) ? { day: 'numeric', month: 'short' } : { hour: 'numeric', minute: '2-digit' };
  return date.toLocaleString(locale, options);
}
