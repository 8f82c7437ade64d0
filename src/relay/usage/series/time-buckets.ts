/** Days and hours of a time zone, computed here: the databases differ in the zones that they know. */
import { FerryError } from '../../../kernel/errors/ferry-error.js';

export const bucketSizes = ['hour', 'day'] as const;
export type BucketSize = (typeof bucketSizes)[number];

/** More than two years of days, or a month of hours. */
export const MOST_BUCKETS = 800;

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Wall time of a zone, as if it were UTC. */
type WallClock = (moment: number) => number;

/** @throws FerryError `invalid_request` for a zone that is not in the database of time zones */
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

/** The beginning of the day of a moment: its midnight, or the first moment of a day without one. */
export function startOfDay(moment: number, wallClock: WallClock): number {
  const wall = wallClock(moment);
  return momentOfWall(wall - (wall % DAY_MS), wallClock);
}

/** The moment at which a wall shows this time. Twice, because the offset may change between the guess and the result. */
function momentOfWall(wall: number, wallClock: WallClock): number {
  const guess = wall - (wallClock(wall) - wall);
  return wall - (wallClock(guess) - guess);
}

/**
 * The beginnings of all buckets from the one that `since` is in to the last one that begins before `until`. Hours are those of UTC,
 * because usage is summed up by them.
 * @throws FerryError `invalid_request` when there are too many
 */
export function bucketsBetween(since: Date, until: Date, size: BucketSize, timeZone: string): Date[] {
  const wallClock = wallClockOf(timeZone);
  const buckets: Date[] = [];
  let start = size === 'hour' ? since.getTime() - (since.getTime() % HOUR_MS) : startOfDay(since.getTime(), wallClock);
  while (start < until.getTime()) {
    if (buckets.length === MOST_BUCKETS) {
      const message = `This range has more than ${MOST_BUCKETS} buckets. Ask for days, or for a shorter range.`;
      throw new FerryError('invalid_request', message, { param: 'bucket' });
    }
    buckets.push(new Date(start));
    // A day has 23 to 25 hours: its noon is always in it, and 36 hours later is in the next one.
    start = size === 'hour' ? start + HOUR_MS : startOfDay(start + 1.5 * DAY_MS, wallClock);
  }
  return buckets;
}
