import type { AccountId, ClusterId } from '../../kernel/ids.js';

export const usageGroupings = ['model', 'node', 'key', 'cluster', 'dialect', 'hour'] as const;
export type UsageGrouping = (typeof usageGroupings)[number];

export interface UsageQuestion {
  readonly accountId: AccountId;
  readonly by: UsageGrouping;
  /** Usage is kept by the hour: the hour in which this is counts whole. */
  readonly since: Date;
  /** Hours that begin at this moment or later do not count. */
  readonly until: Date;
  /** null: all. */
  readonly clusterId: ClusterId | null;
  /** Groups at most. */
  readonly limit: number;
}

/** Requests are those of all five outcomes together. */
export interface UsageFigures {
  readonly requests: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly timedOut: number;
  readonly rejected: number;
  readonly inputTokens: number;
  /** Of the input. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Of the output. */
  readonly reasoningTokens: number;
  readonly estimatedRequests: number;
}

export interface UsageGroup extends UsageFigures {
  /** An id, a dialect, or the beginning of an hour in ISO 8601; null: requests that never had one. */
  readonly key: string | null;
  /** What it is called, or was when it was last used; null when nobody knows. */
  readonly name: string | null;
}

export interface UsageTotals {
  /** Those that used the most tokens first; hours in their order. */
  readonly groups: readonly UsageGroup[];
  readonly hasMore: boolean;
  /** Of all groups, also those beyond the limit; of the same moment. */
  readonly totals: UsageFigures;
}
