import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { UsageHourEntity } from './usage-hour.entity.js';
import { nameOf } from './usage-names.js';
import type { UsageFigures, UsageGroup, UsageGrouping, UsageQuery, UsageTotals } from './usage-totals.js';

type FigureRow = Readonly<Record<keyof UsageFigures, number>>;
type GroupRow = FigureRow & { readonly is_total: boolean; readonly key: string | null; readonly name: string | null };

const HOUR = `to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

const columns: Readonly<Record<UsageGrouping, string>> = {
  model: `nullif(model, '')`,
  node: `nullif(node_id, '')`,
  key: 'key_id',
  cluster: `nullif(cluster_id, '')`,
  dialect: 'dialect',
  hour: HOUR,
};

const nameSql = (by: UsageGrouping): string =>
  by === 'dialect' || by === 'hour' ? 'grouped.key' : nameOf(by, '$1', 'grouped.key');

/** Sums stay below 2^53, where a double is exact. */
const FIGURES = `
  coalesce(sum(requests), 0)::float8 AS "requests",
  coalesce(sum(completed), 0)::float8 AS "completed",
  coalesce(sum(failed), 0)::float8 AS "failed",
  coalesce(sum(cancelled), 0)::float8 AS "cancelled",
  coalesce(sum(timed_out), 0)::float8 AS "timedOut",
  coalesce(sum(rejected), 0)::float8 AS "rejected",
  coalesce(sum(input_tokens), 0)::float8 AS "inputTokens",
  coalesce(sum(cached_tokens), 0)::float8 AS "cachedTokens",
  coalesce(sum(output_tokens), 0)::float8 AS "outputTokens",
  coalesce(sum(reasoning_tokens), 0)::float8 AS "reasoningTokens",
  coalesce(sum(estimated_requests), 0)::float8 AS "estimatedRequests"`;

/** Reads the roll-ups: a range of the primary key, never the request log. */
@Injectable()
export class UsageTotalsStore {
  constructor(@InjectRepository(UsageHourEntity) private readonly hours: Repository<UsageHourEntity>) {}

  async totals({ accountId, by, since, until, clusterId, limit }: UsageQuery): Promise<UsageTotals> {
    const order = by === 'hour' ? 'key' : 'tokens DESC, requests DESC, key';
    const rows = await this.hours.query<GroupRow[]>(
      `WITH chosen AS (
         SELECT ${columns[by]} AS key, usage_hour.* FROM usage_hour
         WHERE account_id = $1 AND hour >= date_trunc('hour', $2::timestamptz, 'UTC') AND hour < $3
           AND ($4::text IS NULL OR cluster_id = $4)
       ), grouped AS (
         SELECT grouping(key) = 1 AS is_total, key,
                sum(input_tokens) + sum(output_tokens) AS tokens, ${FIGURES}
         FROM chosen GROUP BY GROUPING SETS ((key), ())
         ORDER BY is_total DESC, ${order}
         LIMIT $5
       )
       SELECT grouped.*, CASE WHEN is_total THEN NULL ELSE ${nameSql(by)} END AS name FROM grouped
       ORDER BY is_total DESC, ${order}`,
      [accountId, since, until, clusterId, limit + 2],
    );
    const groups = rows.filter((row) => !row.is_total);
    const total = rows.find((row) => row.is_total);
    if (total === undefined) throw new Error('the grouping has no total row');
    return {
      groups: groups.slice(0, limit).map((row): UsageGroup => ({ key: row.key, name: row.name, ...figures(row) })),
      hasMore: groups.length > limit,
      totals: figures(total),
    };
  }
}

const figures = (row: FigureRow): UsageFigures => ({
  requests: row.requests,
  completed: row.completed,
  failed: row.failed,
  cancelled: row.cancelled,
  timedOut: row.timedOut,
  rejected: row.rejected,
  inputTokens: row.inputTokens,
  cachedTokens: row.cachedTokens,
  outputTokens: row.outputTokens,
  reasoningTokens: row.reasoningTokens,
  estimatedRequests: row.estimatedRequests,
});
