import type { AccountId, ClusterId } from '../../kernel/ids.js';

export const usageGroupings = ['model', 'node', 'key', 'cluster', 'dialect', 'hour'] as const;
export type UsageGrouping = (typeof usageGroupings)[number];

export interface UsageQuery {
  readonly accountId: AccountId;
  readonly by: UsageGrouping;
  /** Its whole hour counts: usage is stored per hour. */
  readonly since: Date;
  /** Hours that begin at this moment or later do not count. */
  readonly until: Date;
  /** null: all. */
  readonly clusterId: ClusterId | null;
  /** Maximum number of groups. */
  readonly limit: number;
}

/** `requests` is the sum of all five outcomes. */
export interface UsageFigures {
  readonly requests: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly timedOut: number;
  readonly rejected: number;
  readonly inputTokens: number;
  /** They are part of the input. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** They are part of the output. */
  readonly reasoningTokens: number;
  readonly estimatedRequests: number;
}

export interface UsageGroup extends UsageFigures {
  /** An id, a dialect, or the beginning of an hour in ISO 8601; null: requests that never had one. */
  readonly key: string | null;
  /** The current name, or the last known one; null when unknown. */
  readonly name: string | null;
}

export interface UsageTotals {
  /** Sorted by tokens, descending; hours are in their order. */
  readonly groups: readonly UsageGroup[];
  readonly hasMore: boolean;
  /** Includes groups beyond the limit, from the same snapshot. */
  readonly totals: UsageFigures;
}
