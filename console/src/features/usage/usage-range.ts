import type { PageSearch } from '../../layout/page-search';
import type { Grouping } from './usage-series';

/** The stretch of time of the usage page, as the URL has it and as the relay wants it. */
export interface UsageRange {
  readonly since: string;
  /** undefined: until now. */
  readonly until?: string;
  readonly bucket: 'hour' | 'day';
}

export const presets = [
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 d' },
  { value: '30d', label: '30 d' },
  { value: '90d', label: '90 d' },
] as const;

export const DEFAULT_PRESET = '7d';

const HOUR_BUCKETS_UP_TO_DAYS = 3;
const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * @param from a day of the calendar of this computer; both days together win over the preset
 * @param to the last day that counts
 */
function rangeOf(preset: string, from: string, to: string): UsageRange {
  if (DATE.test(from) && DATE.test(to) && from <= to) return customRange(from, to);
  const days = /^(\d{1,3})d$/.exec(preset)?.[1];
  if (preset === '24h' || days === undefined) return preset === '24h' ? { since: '23h', bucket: 'hour' } : week;
  // Today counts as a day, and the relay begins with the whole day of `since`.
  return { since: `${Number(days) - 1}d`, bucket: 'day' };
}

const week: UsageRange = { since: '6d', bucket: 'day' };

function customRange(from: string, to: string): UsageRange {
  const since = new Date(`${from}T00:00`);
  const until = new Date(`${to}T00:00`);
  until.setDate(until.getDate() + 1);
  const days = (until.getTime() - since.getTime()) / DAY_MS;
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    bucket: days <= HOUR_BUCKETS_UP_TO_DAYS ? 'hour' : 'day',
  };
}

export interface SeriesRequest {
  readonly range: UsageRange;
  readonly by: Grouping;
  readonly cluster: string | undefined;
}

const groupings: readonly string[] = ['model', 'key', 'node', 'none'] satisfies Grouping[];

/** What the page of this address shows; unknown values are as absent ones. */
export function seriesRequestOf({ range, from = '', to = '', by = '', cluster }: PageSearch): SeriesRequest {
  return {
    range: rangeOf(range ?? DEFAULT_PRESET, from, to),
    by: groupings.includes(by) ? (by as Grouping) : 'model',
    cluster,
  };
}
