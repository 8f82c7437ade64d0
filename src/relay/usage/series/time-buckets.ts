/** Days and hours of a time zone. Computed here, because PGlite and Postgres know different zones. */
import { FerryError } from '../../../kernel/errors/ferry-error.js';

export const bucketSizes = ['hour', 'day'] as const;
export type BucketSize = (typeof bucketSizes)[number];

/** Enough for two years of days or a month of hours. */
export const MOST_BUCKETS = 800;

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Local time of a zone, represented as if it were UTC. */
type WallClock = (moment: number) => number;

/** @throws FerryError `invalid_request` for an unknown time zone */
export function wallClockOf(timeZone: string): WallClock {
  const format = zoneFormat(timeZone);
  return (moment) => {
    const part = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
}

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    const message = 'time_zone must be a name of the time zone database, such as Europe/Berlin.';
    throw new FerryError('invalid_request', message, { param: 'time_zone' });
  }
}

/** Start of the day that contains a time: midnight, or the first instant of a day without midnight. */
export function startOfDay(moment: number, wallClock: WallClock): number {
  const wall = wallClock(moment);
  return momentOfWall(wall - (wall % DAY_MS), wallClock);
}

/** Converts local time to an instant. Applied twice, because the offset may differ between the first guess and the result. */
function momentOfWall(wall: number, wallClock: WallClock): number {
  const guess = wall - (wallClock(wall) - wall);
  return wall - (wallClock(guess) - guess);
}

/**
 * Start times of all buckets from the one that contains `since` to the last one that begins before `until`. Hours are UTC hours,
 * because usage is aggregated by them.
 * @throws FerryError `invalid_request` when there are too many
 */
export function bucketsBetween(since: Date, until: Date, size: BucketSize, timeZone: string): Date[] {
  const wallClock = wallClockOf(timeZone);
  const buckets: Date[] = [];
  let start = size === 'hour' ? since.getTime() - (since.getTime() % HOUR_MS) : startOfDay(since.getTime(), wallClock);
  while (start < until.getTime()) {
    if (buckets.length === MOST_BUCKETS) {
      const message = `This range has more than ${MOST_BUCKETS} buckets. Use buckets of days, or a shorter range.`;
      throw new FerryError('invalid_request', message, { param: 'bucket' });
    }
    buckets.push(new Date(start));
    // A day has 23 to 25 hours, so 36 hours after its start is always within the next day.
    start = size === 'hour' ? start + HOUR_MS : startOfDay(start + 1.5 * DAY_MS, wallClock);
  }
  return buckets;
}
