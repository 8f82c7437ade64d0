import type { AccountId } from '../../../kernel/ids.js';

export const seriesGroupings = ['model', 'key', 'node', 'none'] as const;
export type SeriesGrouping = (typeof seriesGroupings)[number];

/** Number of groups shown separately; more cannot be distinguished in a chart. */
export const MOST_SERIES = 12;

export interface SeriesQuery {
  readonly accountId: AccountId;
  readonly by: SeriesGrouping;
  /** Start times of the buckets, ascending, at least one; the last bucket ends at `until`. */
  readonly buckets: readonly Date[];
  readonly until: Date;
  /** null here and below for no filter. */
  readonly keyId: string | null;
  readonly nodeId: string | null;
  readonly clusterId: string | null;
  readonly model: string | null;
}

export interface SeriesFigures {
  requests: number;
  inputTokens: number;
  outputTokens: number;
  /** Failed or timed out. */
  failed: number;
  rejected: number;
}

export interface SeriesGroup {
  /** null for requests without one, or without grouping. */
  readonly key: string | null;
  readonly name: string | null;
  /** One value per bucket; 0 for an empty one. */
  readonly figures: readonly SeriesFigures[];
}

/** The first token of streams, the duration of all. */
export interface BucketLatency {
  readonly ttftP50Ms: number | null;
  readonly ttftP95Ms: number | null;
  readonly durationP50Ms: number;
  readonly durationP95Ms: number;
}

export interface UsageSeries {
  /** Sorted by tokens of the whole range, in descending order. */
  readonly groups: readonly SeriesGroup[];
  /** The sum of all other groups; null if there are none. */
  readonly others: { readonly groups: number; readonly figures: readonly SeriesFigures[] } | null;
  /** Computed from completed requests in the request log; null without any. */
  readonly latency: readonly (BucketLatency | null)[];
  readonly errors: readonly { readonly code: string; readonly count: number }[];
}
