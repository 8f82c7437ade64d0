import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { AccountId } from '../../kernel/ids.js';
import { RequestLogEntity } from './request-log.entity.js';
import { nameOf } from './usage-names.js';
import type { UsageRow } from './usage-row.js';

/** null: any. */
export interface RequestLogFilter {
  readonly since: Date | null;
  readonly until: Date | null;
  readonly keyId: string | null;
  readonly nodeId: string | null;
  readonly clusterId: string | null;
  readonly model: string | null;
  /** A part of the id: letters and digits only. */
  readonly requestId: string | null;
  readonly dialect: string | null;
  readonly outcome: string | null;
}

/** Older requests follow. */
export interface RequestLogPosition {
  readonly startedAt: Date;
  readonly id: string;
}

/** With the field names of the API. Unknown names are null. */
export interface LoggedRequest extends Omit<UsageRow, 'account_id' | 'started_at'> {
  readonly started_at: Date;
  readonly key_name: string | null;
  readonly node_name: string | null;
  readonly cluster_name: string | null;
}

const COLUMNS = `id, started_at, key_id, node_id, cluster_id, model, model_name, requested_model, dialect, stream, outcome, code,
  message, attempts, retried, input_tokens, cached_tokens, output_tokens, reasoning_tokens, source, queue_ms,
  CASE WHEN stream THEN ttft_ms END AS ttft_ms, duration_ms`;

const PAGE = `
  SELECT ${COLUMNS} FROM request_log
  WHERE account_id = $1
    AND ($2::timestamptz IS NULL OR started_at >= $2)
    AND ($3::timestamptz IS NULL OR started_at < $3)
    AND ($4::text IS NULL OR key_id = $4)
    AND ($5::text IS NULL OR node_id = $5)
    AND ($6::text IS NULL OR cluster_id = $6)
    AND ($7::text IS NULL OR model = $7)
    AND ($8::text IS NULL OR dialect = $8)
    AND ($9::text IS NULL OR outcome = $9)
    AND ($10::text IS NULL OR strpos(id, $10) > 0)
    AND ($11::timestamptz IS NULL OR (started_at, id) < ($11, $12::text))
  ORDER BY started_at DESC, id DESC
  LIMIT $13`;

const NAMES = `
  ${nameOf('key', '$1', 'page.key_id')} AS key_name,
  ${nameOf('node', '$1', 'page.node_id')} AS node_name,
  ${nameOf('cluster', '$1', 'page.cluster_id')} AS cluster_name`;

@Injectable()
export class RequestLogStore {
  constructor(@InjectRepository(RequestLogEntity) private readonly requests: Repository<RequestLogEntity>) {}

  /** Undefined when the account has no such request, or not any more. */
  async find(accountId: AccountId, id: string): Promise<LoggedRequest | undefined> {
    const rows = await this.requests.query<LoggedRequest[]>(
      `WITH page AS (SELECT ${COLUMNS} FROM request_log WHERE account_id = $1 AND id = $2)
       SELECT page.*, ${NAMES} FROM page`,
      [accountId, id],
    );
    return rows[0];
  }

  /** Newest first. @param after the last of the page before */
  async list(
    accountId: AccountId,
    filter: RequestLogFilter,
    limit: number,
    after: RequestLogPosition | null,
  ): Promise<readonly LoggedRequest[]> {
    return this.requests.query<LoggedRequest[]>(
      `WITH page AS (${PAGE})
       SELECT page.*, ${NAMES} FROM page ORDER BY started_at DESC, id DESC`,
      [
        accountId,
        filter.since,
        filter.until,
        filter.keyId,
        filter.nodeId,
        filter.clusterId,
        filter.model,
        filter.dialect,
        filter.outcome,
        filter.requestId,
        after?.startedAt ?? null,
        after?.id ?? null,
        limit,
      ],
    );
  }
}
