import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { AccountId, UserId } from '../../../kernel/ids.js';

/** Requests of a time range. */
export interface OverviewFigures {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Failed or timed out. */
  readonly failed: number;
  readonly rejected: number;
  /** Median of the completed streams; null if there were none. */
  readonly ttftP50Ms: number | null;
}

export interface ExpiringKey {
  readonly id: string;
  readonly name: string;
  readonly expiresAt: Date;
}

/** A computer on which an operation found no room; nobody has dismissed it or tried it again. */
export interface FullDisk {
  readonly nodeId: string;
  readonly nodeName: string;
  readonly since: Date;
}

@Injectable()
export class OverviewStore {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** From the request log, because hourly sums are not exact enough for `until`. */
  async figures(accountId: AccountId, since: Date, until: Date): Promise<OverviewFigures> {
    const [row] = await this.database.query<OverviewFigures[]>(
      `SELECT count(*)::float8 AS requests,
              coalesce(sum(input_tokens), 0)::float8 AS "inputTokens",
              coalesce(sum(output_tokens), 0)::float8 AS "outputTokens",
              count(*) FILTER (WHERE outcome IN ('failed', 'timed_out'))::float8 AS failed,
              count(*) FILTER (WHERE outcome = 'rejected')::float8 AS rejected,
              percentile_cont(0.5) WITHIN GROUP (ORDER BY ttft_ms) FILTER (WHERE outcome = 'completed' AND stream) AS "ttftP50Ms"
       FROM request_log WHERE account_id = $1 AND started_at >= $2 AND started_at < $3`,
      [accountId, since, until],
    );
    if (row === undefined) throw new Error('an aggregate without a row');
    return row;
  }

  /** Without rolled ones, which are meant to expire. @param owner null for keys of all users */
  expiringKeys(accountId: AccountId, owner: UserId | null, withinDays: number): Promise<ExpiringKey[]> {
    return this.database.query<ExpiringKey[]>(
      `SELECT id, name, expires_at AS "expiresAt" FROM api_key
       WHERE account_id = $1 AND ($2::text IS NULL OR created_by = $2) AND revoked_at IS NULL AND rolled_at IS NULL
         AND expires_at > now() AND expires_at < now() + $3 * interval '1 day'
       ORDER BY expires_at, id LIMIT 20`,
      [accountId, owner, withinDays],
    );
  }

  fullDisks(accountId: AccountId, withinDays: number): Promise<FullDisk[]> {
    return this.database.query<FullDisk[]>(
      `SELECT node.id AS "nodeId", node.name AS "nodeName", max(operation.finished_at) AS since
       FROM operation JOIN node ON node.account_id = operation.account_id AND node.id = operation.node_id
       WHERE operation.account_id = $1 AND operation.state = 'failed' AND operation.failure_code = 'disk_full'
         AND operation.dismissed_at IS NULL AND operation.finished_at > now() - $2 * interval '1 day'
         AND node.state = 'active'
       GROUP BY node.id, node.name ORDER BY since DESC, node.id LIMIT 20`,
      [accountId, withinDays],
    );
  }

  async hasKeyAndRequest(accountId: AccountId): Promise<{ readonly hasKey: boolean; readonly hasRequest: boolean }> {
    const [row] = await this.database.query<{ hasKey: boolean; hasRequest: boolean }[]>(
      `SELECT EXISTS (SELECT FROM api_key WHERE account_id = $1 AND revoked_at IS NULL) AS "hasKey",
              EXISTS (SELECT FROM request_log WHERE account_id = $1) OR
              EXISTS (SELECT FROM usage_hour WHERE account_id = $1) AS "hasRequest"`,
      [accountId],
    );
    return row ?? { hasKey: false, hasRequest: false };
  }
}
