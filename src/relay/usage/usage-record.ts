import type { LoggedRequest } from './request-log.store.js';
import type { UsageFigures, UsageGroup, UsageQuestion, UsageTotals } from './usage-totals.js';

/** `requests` are those of all five outcomes. Tokens are those of every request, however it ended. */
export interface UsageFiguresRecord {
  readonly requests: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly timed_out: number;
  readonly rejected: number;
  readonly input_tokens: number;
  /** Of the input. */
  readonly cached_tokens: number;
  readonly output_tokens: number;
  /** Of the output. */
  readonly reasoning_tokens: number;
  /** Whose tokens the relay estimated, because nobody could say. */
  readonly estimated_requests: number;
}

export interface UsageGroupRecord extends UsageFiguresRecord {
  /** An id, a dialect, or the beginning of an hour; null: requests that never had one. */
  readonly key: string | null;
  readonly name: string | null;
}

export interface UsageRecord {
  readonly object: 'usage';
  /** ISO 8601, UTC; the beginning of an hour. */
  readonly since: string;
  readonly until: string;
  readonly by: string;
  readonly data: readonly UsageGroupRecord[];
  /** There are groups beyond those shown; `totals` counts them, too. */
  readonly has_more: boolean;
  readonly totals: UsageFiguresRecord;
}

export const usageRecord = (
  { since, until, by }: Pick<UsageQuestion, 'since' | 'until' | 'by'>,
  { groups, hasMore, totals }: UsageTotals,
): UsageRecord => ({
  object: 'usage',
  since: since.toISOString(),
  until: until.toISOString(),
  by,
  data: groups.map(groupRecord),
  has_more: hasMore,
  totals: figuresRecord(totals),
});

const groupRecord = (group: UsageGroup): UsageGroupRecord => ({
  key: group.key,
  name: group.name,
  ...figuresRecord(group),
});

const figuresRecord = (figures: UsageFigures): UsageFiguresRecord => ({
  requests: figures.requests,
  completed: figures.completed,
  failed: figures.failed,
  cancelled: figures.cancelled,
  timed_out: figures.timedOut,
  rejected: figures.rejected,
  input_tokens: figures.inputTokens,
  cached_tokens: figures.cachedTokens,
  output_tokens: figures.outputTokens,
  reasoning_tokens: figures.reasoningTokens,
  estimated_requests: figures.estimatedRequests,
});

/** One request of the log: metadata only. `source` is null where no engine had it. Times in ISO 8601 and milliseconds. */
export interface LoggedRequestRecord extends Omit<LoggedRequest, 'started_at'> {
  readonly object: 'usage.request';
  readonly started_at: string;
}

export const loggedRequestRecord = ({ id, started_at, ...request }: LoggedRequest): LoggedRequestRecord => ({
  object: 'usage.request',
  id,
  started_at: started_at.toISOString(),
  ...request,
});
