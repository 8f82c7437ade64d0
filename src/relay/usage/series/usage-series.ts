import type { AccountId } from '../../../kernel/ids.js';

export const seriesGroupings = ['model', 'key', 'node', 'none'] as const;
export type SeriesGrouping = (typeof seriesGroupings)[number];

/** Groups of their own in a series. More cannot be told apart in a chart. */
export const MOST_SERIES = 12;

export interface SeriesQuestion {
  readonly accountId: AccountId;
  readonly by: SeriesGrouping;
  /** The beginnings of the buckets, ascending, at least one; the last one ends at `until`. */
  readonly buckets: readonly Date[];
  readonly until: Date;
  /** null here and below: all. */
  readonly keyId: string | null;
  readonly nodeId: string | null;
  readonly clusterId: string | null;
  readonly model: string | null;
}

export interface SeriesFigures {
  requests: number;
  inputTokens: number;
  outputTokens: number;
  /** Failed, timed out or rejected. */
  failed: number;
}

export interface SeriesGroup {
  /** null: requests that never had one, or all of them. */
  readonly key: string | null;
  readonly name: string | null;
  /** One for each bucket; zeros where there was nothing. */
  readonly figures: readonly SeriesFigures[];
}

export interface BucketLatency {
  readonly ttftP50Ms: number | null;
  readonly ttftP95Ms: number | null;
  readonly durationP50Ms: number;
  readonly durationP95Ms: number;
}

export interface UsageSeries {
  /** By tokens of the whole range, descending. */
  readonly groups: readonly SeriesGroup[];
  /** The sum of the groups beyond those; null: there are no more. */
  readonly others: { readonly groups: number; readonly figures: readonly SeriesFigures[] } | null;
  /** Of completed requests in the request log; null: none. */
  readonly latency: readonly (BucketLatency | null)[];
  readonly errors: readonly { readonly code: string; readonly count: number }[];
}
