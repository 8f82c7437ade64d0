import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { RequestLogEntity } from '../request-log.entity.js';
import { nameOf } from '../usage-names.js';
import {
  MOST_SERIES,
  type BucketLatency,
  type SeriesFigures,
  type SeriesGroup,
  type SeriesGrouping,
  type SeriesQuery,
  type UsageSeries,
} from './usage-series.js';

const groupColumns: Readonly<Record<SeriesGrouping, string>> = {
  model: `nullif(model, '')`,
  key: 'key_id',
  node: `nullif(node_id, '')`,
  none: 'NULL::text',
};

const MOST_ERRORS = 50;

/** Limits of requests whose latency is read: for one response, divided among its buckets, and the minimum for one bucket. */
const MOST_MEASURED = 40_000;
export const FEWEST_MEASURED = 200;

/** $1 account, $2 start times of the buckets, $3 end, $4 to $7 filters. */
const filters = (time: string, from = '($2::timestamptz[])[1]', until = '$3::timestamptz'): string => `
  account_id = $1 AND ${time} >= ${from} AND ${time} < ${until}
  AND ($4::text IS NULL OR key_id = $4) AND ($5::text IS NULL OR node_id = $5)
  AND ($6::text IS NULL OR cluster_id = $6) AND ($7::text IS NULL OR model = $7)`;

const bucketOf = (time: string): string => `width_bucket(${time}, $2::timestamptz[]) - 1`;

interface FigureRow extends SeriesFigures {
  readonly bucket: number;
  /** Rank from 1; 0 for all groups beyond the first ones. */
  readonly rank: number;
  readonly key: string | null;
  readonly groups: number;
}

type LatencyRow = BucketLatency & { readonly bucket: number };

/** Requests and tokens come from hourly sums, latency and errors from the request log, which has a shorter retention. */
@Injectable()
export class UsageSeriesStore {
  constructor(@InjectRepository(RequestLogEntity) private readonly requests: Repository<RequestLogEntity>) {}

  async series(query: SeriesQuery): Promise<UsageSeries> {
    const { accountId, buckets, until, keyId, nodeId, clusterId, model, by } = query;
    const parameters = [accountId, buckets, until, keyId, nodeId, clusterId, model];
    const rows = await this.figures(by, parameters);
    const latency = await this.latency(parameters, buckets.length);
    const errors = await this.errors(parameters);
    const beyond = rows.find(({ rank }) => rank === 0);
    return {
      groups: await this.groups(query, rows),
      others: beyond === undefined ? null : { groups: beyond.groups - MOST_SERIES, figures: filled(buckets, rows, 0) },
      latency: buckets.map((_, bucket) => latency.get(bucket) ?? null),
      errors,
    };
  }

  private figures(by: SeriesGrouping, parameters: readonly unknown[]): Promise<FigureRow[]> {
    return this.requests.query<FigureRow[]>(
      `WITH chosen AS (
         SELECT ${bucketOf('hour')} AS bucket, ${groupColumns[by]} AS key, sum(requests) AS requests,
                sum(input_tokens) AS input, sum(output_tokens) AS output, sum(failed + timed_out) AS failed,
                sum(rejected) AS rejected
         FROM usage_hour WHERE ${filters('hour')} GROUP BY 1, 2
       ), ranked AS (
         SELECT key, row_number() OVER (ORDER BY sum(input) + sum(output) DESC, sum(requests) DESC, key) AS rank,
                count(*) OVER () AS groups
         FROM chosen GROUP BY key
       ), placed AS (
         SELECT chosen.*, ranked.groups, CASE WHEN rank <= $8 THEN rank ELSE 0 END AS rank
         FROM chosen JOIN ranked ON ranked.key IS NOT DISTINCT FROM chosen.key
       )
       SELECT bucket, rank::int AS rank, min(key) AS key, max(groups)::int AS groups,
              sum(requests)::float8 AS "requests", sum(input)::float8 AS "inputTokens",
              sum(output)::float8 AS "outputTokens", sum(failed)::float8 AS "failed",
              sum(rejected)::float8 AS "rejected"
       FROM placed GROUP BY bucket, rank ORDER BY rank, bucket`,
      [...parameters, MOST_SERIES],
    );
  }

  private async groups({ accountId, by, buckets }: SeriesQuery, rows: readonly FigureRow[]): Promise<SeriesGroup[]> {
    const keys = new Map(rows.filter(({ rank }) => rank > 0).map(({ rank, key }) => [rank, key]));
    const names = by === 'none' ? new Map<string, string>() : await this.names(accountId, by, [...keys.values()]);
    return Array.from(keys, ([rank, key]) => ({
      key,
      name: key === null ? null : (names.get(key) ?? null),
      figures: filled(buckets, rows, rank),
    }));
  }

  private async names(
    accountId: string,
    by: Exclude<SeriesGrouping, 'none'>,
    keys: readonly (string | null)[],
  ): Promise<ReadonlyMap<string, string>> {
    const rows = await this.requests.query<{ id: string; name: string | null }[]>(
      `SELECT given.id, ${nameOf(by, '$1', 'given.id')} AS name FROM unnest($2::text[]) AS given(id)`,
      [accountId, keys.filter((key) => key !== null)],
    );
    return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
  }

  /** Samples the newest requests of each bucket, because a busy account has millions per day. */
  private async latency(parameters: readonly unknown[], buckets: number): Promise<ReadonlyMap<number, BucketLatency>> {
    const rows = await this.requests.query<LatencyRow[]>(
      `WITH bucket AS (
         SELECT ordinality::int - 1 AS bucket, start, lead(start, 1, $3::timestamptz) OVER (ORDER BY start) AS finish
         FROM unnest($2::timestamptz[]) WITH ORDINALITY AS given(start, ordinality)
       )
       SELECT bucket,
              percentile_cont(0.5) WITHIN GROUP (ORDER BY ttft_ms) FILTER (WHERE stream) AS "ttftP50Ms",
              percentile_cont(0.95) WITHIN GROUP (ORDER BY ttft_ms) FILTER (WHERE stream) AS "ttftP95Ms",
              percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms) AS "durationP50Ms",
              percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms) AS "durationP95Ms"
       FROM bucket CROSS JOIN LATERAL (
         SELECT stream, ttft_ms, duration_ms FROM request_log
         WHERE ${filters('started_at', 'start', 'finish')} AND outcome = 'completed'
         ORDER BY started_at DESC LIMIT $8
       ) AS newest GROUP BY bucket`,
      [...parameters, Math.max(FEWEST_MEASURED, Math.floor(MOST_MEASURED / Math.max(buckets, 1)))],
    );
    return new Map(rows.map(({ bucket, ...latency }) => [bucket, latency]));
  }

  private errors(parameters: readonly unknown[]): Promise<{ code: string; count: number }[]> {
    return this.requests.query<{ code: string; count: number }[]>(
      `SELECT code, count(*)::int AS count FROM request_log
       WHERE ${filters('started_at')} AND code IS NOT NULL AND outcome IN ('failed', 'timed_out', 'rejected')
       GROUP BY code ORDER BY count DESC, code LIMIT $8`,
      [...parameters, MOST_ERRORS],
    );
  }
}

/** The figures of one group, with 0 for buckets without requests. */
function filled(buckets: readonly Date[], rows: readonly FigureRow[], rank: number): SeriesFigures[] {
  const figures = buckets.map((): SeriesFigures => ({
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    failed: 0,
    rejected: 0,
  }));
  for (const row of rows) {
    const { requests, inputTokens, outputTokens, failed, rejected } = row;
    if (row.rank === rank && row.bucket < figures.length) {
      figures[row.bucket] = { requests, inputTokens, outputTokens, failed, rejected };
    }
  }
  return figures;
}
