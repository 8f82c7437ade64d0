/** What the charts, the table and the CSV of the usage page have in common: the series of the relay, as pure functions. */
import type { Schemas } from '../../api/management-api.types';
import { countOf } from '../../components/format';

export type UsageSeries = Schemas['UsageSeries'];
type Group = Schemas['SeriesGroup'];
export type Grouping = 'model' | 'key' | 'node' | 'none';
export type Measure = 'tokens' | 'requests';

/** One stack of the chart. */
export interface Stack {
  readonly name: string;
  readonly values: readonly number[];
}

/** What one bar or point of a chart stands for. */
export const resolutionOf = ({ bucket }: Pick<UsageSeries, 'bucket'>): string =>
  bucket === 'hour' ? 'per hour' : 'per day';

/** More colours cannot be told apart; the eighth is for all others. */
const MOST_STACKS = 7;

const nameless: Readonly<Record<string, string>> = {
  model: 'No model',
  key: 'No key',
  node: 'No computer',
  none: 'All requests',
};

export const groupName = ({ key, name }: Pick<Group, 'key' | 'name'>, by: string): string =>
  name ?? key ?? nameless[by] ?? 'None';

export const measured = (
  { requests, input_tokens, output_tokens }: Pick<Group, 'requests' | 'input_tokens' | 'output_tokens'>,
  measure: Measure,
): readonly number[] =>
  measure === 'requests' ? requests : input_tokens.map((tokens, index) => tokens + (output_tokens[index] ?? 0));

export function stacksOf({ groups, others, by, buckets }: UsageSeries, measure: Measure): readonly Stack[] {
  const own = groups
    .slice(0, MOST_STACKS)
    .map((group) => ({ name: groupName(group, by), values: measured(group, measure) }))
    // Of rejected requests only: they have no tokens.
    .filter(({ values }) => values.some((value) => value > 0));
  const rest = groups.slice(MOST_STACKS);
  const restCount = rest.length + (others?.groups ?? 0);
  if (restCount === 0) return own;
  const parts = [...rest, ...(others === null ? [] : [others])].map((group) => measured(group, measure));
  const values = buckets.map((_, index) => parts.reduce((sum, part) => sum + (part[index] ?? 0), 0));
  return [...own, { name: countOf(restCount, 'other'), values }];
}

/** A row of the table: one bucket. */
export interface BucketRow {
  readonly start: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly failed: number;
  readonly rejected: number;
  readonly latency: Schemas['SeriesLatency'] | null;
  readonly groups: readonly { readonly name: string; readonly requests: number; readonly tokens: number }[];
}

/** Newest first. */
export function bucketRows(series: UsageSeries): readonly BucketRow[] {
  const { buckets, groups, others, latency, by } = series;
  const all = [...groups, ...(others === null ? [] : [others])];
  const sum = (pick: (group: (typeof all)[number]) => readonly number[], index: number): number =>
    all.reduce((total, group) => total + (pick(group)[index] ?? 0), 0);
  return buckets
    .map((start, index) => ({
      start,
      requests: sum((group) => group.requests, index),
      inputTokens: sum((group) => group.input_tokens, index),
      outputTokens: sum((group) => group.output_tokens, index),
      failed: sum((group) => group.failed, index),
      rejected: sum((group) => group.rejected, index),
      latency: latency[index] ?? null,
      groups: all
        .map((group) => ({
          name: 'key' in group ? groupName(group, by) : countOf(group.groups, 'other'),
          requests: group.requests[index] ?? 0,
          tokens: measured(group, 'tokens')[index] ?? 0,
        }))
        .filter(({ requests }) => requests > 0),
    }))
    .toReversed();
}

/** All of them, or only those with requests where there are more than `most`. */
export function shownRows(
  rows: readonly BucketRow[],
  most: number,
): { readonly rows: readonly BucketRow[]; readonly hidden: number } {
  if (rows.length <= most) return { rows, hidden: 0 };
  const used = rows.filter(({ requests }) => requests > 0);
  return { rows: used, hidden: rows.length - used.length };
}

/** Spreadsheets run cells that begin like this as formulas, and names come from people and computers. */
const FORMULA = /^[=+\-@\t\r]/;

const csvCell = (value: string | number): string => {
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** One line for each bucket and group (RFC 4180). */
export function seriesCsv({ buckets, groups, others, by }: UsageSeries): string {
  const all = [
    ...groups.map((group) => ({ ...group, label: groupName(group, by) })),
    ...(others === null ? [] : [{ ...others, key: null, label: countOf(others.groups, 'other') }]),
  ];
  const lines = buckets.flatMap((start, index) =>
    all.map(({ key, label, requests, input_tokens, output_tokens, failed, rejected }) => [
      start,
      key ?? '',
      label,
      requests[index] ?? 0,
      input_tokens[index] ?? 0,
      output_tokens[index] ?? 0,
      failed[index] ?? 0,
      rejected[index] ?? 0,
    ]),
  );
  const head = ['start', by, 'name', 'requests', 'input_tokens', 'output_tokens', 'failed', 'rejected'];
  return [head, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}
