import type { countedColumns } from './counted-columns.js';
import type { UsageRow } from './usage-row.js';

type Counted = Record<(typeof countedColumns)[number], number>;

/** A batch adds this to a row of `usage_hour`; the names are those of its columns. */
export interface UsageSum extends Counted {
  readonly account_id: string;
  readonly hour: string;
  readonly key_id: string;
  readonly node_id: string;
  readonly cluster_id: string;
  readonly model: string;
  readonly dialect: string;
}

/** Length of `2026-01-01T00` in ISO 8601. */
const HOUR_CHARACTERS = 13;
const outcomes: Readonly<Record<string, 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'rejected'>> = {
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  timed_out: 'timed_out',
  rejected: 'rejected',
};

/** Sums per hour, key, node, cluster, model and dialect. Each row must be new to the request log. */
export class UsageSums {
  private readonly sums = new Map<string, UsageSum>();

  get all(): readonly UsageSum[] {
    return [...this.sums.values()];
  }

  /** The sum that the row belongs to; {@link addToSum} adds it. */
  sumOf(row: UsageRow): UsageSum {
    const key = `${row.account_id} ${hourOf(row)} ${row.key_id} ${row.node_id} ${row.cluster_id} ${row.model} ${row.dialect}`;
    let sum = this.sums.get(key);
    if (sum === undefined) this.sums.set(key, (sum = emptySum(row)));
    return sum;
  }
}

/** Cuts a time off behind its hour. */
export const hourOf = (row: UsageRow): string => row.started_at.slice(0, HOUR_CHARACTERS);

export function addToSum(sum: UsageSum, row: UsageRow): void {
  sum.requests += 1;
  const outcome = outcomes[row.outcome];
  if (outcome !== undefined) sum[outcome] += 1;
  sum.input_tokens += row.input_tokens;
  sum.cached_tokens += row.cached_tokens;
  sum.output_tokens += row.output_tokens;
  sum.reasoning_tokens += row.reasoning_tokens;
  if (row.source === 'estimated') sum.estimated_requests += 1;
}

const emptySum = (row: UsageRow): UsageSum => ({
  account_id: row.account_id,
  hour: `${hourOf(row)}:00:00Z`,
  key_id: row.key_id,
  node_id: row.node_id ?? '',
  cluster_id: row.cluster_id ?? '',
  model: row.model ?? '',
  dialect: row.dialect,
  requests: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  timed_out: 0,
  rejected: 0,
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  estimated_requests: 0,
});
