import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { Retention } from '../platform/lifecycle/retention.js';
import { RequestLogEntity } from './request-log.entity.js';

/**
 * Old rows of each table: $1 age in days, $2 limit. All are found by an index; those of the request log by account, because an index of
 * their time alone would cost every request.
 */
const oldRows = {
  request_log: `
    SELECT old.row FROM account CROSS JOIN LATERAL (
      SELECT ctid AS row FROM request_log
      WHERE account_id = account.id AND started_at < now() - $1 * interval '1 day' ORDER BY started_at LIMIT $2
    ) AS old LIMIT $2`,
  usage_hour: `SELECT ctid FROM usage_hour WHERE hour < now() - $1 * interval '1 day' LIMIT $2`,
  usage_name: `SELECT ctid FROM usage_name WHERE seen_at < now() - $1 * interval '1 day' LIMIT $2`,
} as const;
type AgingTable = keyof typeof oldRows;

@Injectable()
export class UsageRetentionStore {
  constructor(@InjectRepository(RequestLogEntity) private readonly requests: Repository<RequestLogEntity>) {}

  /** Deletes older rows, at most `limit`. @returns how many were deleted */
  async prune(table: AgingTable, olderThanDays: number, limit: number): Promise<number> {
    const [{ deleted }] = await this.requests.query<[{ deleted: number }]>(
      `WITH gone AS (
         DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${oldRows[table]})) RETURNING 1)
       SELECT count(*)::int AS deleted FROM gone`,
      [olderThanDays, limit],
    );
    return deleted;
  }
}

/** Deletes usage and requests beyond their retention. */
@Injectable()
export class UsageRetention extends Retention {
  constructor(
    private readonly store: UsageRetentionStore,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    super({ context: 'Usage', everyMs: 3_600_000, failureMessage: 'old usage not deleted' });
  }

  protected override async pruneAll(): Promise<void> {
    const { requestLogRetentionDays, usageRetentionDays } = this.config.settings;
    await this.pruneTable('request_log', requestLogRetentionDays);
    await this.pruneTable('usage_hour', usageRetentionDays);
    // `seen_at` is accurate to a day.
    await this.pruneTable('usage_name', Math.max(usageRetentionDays, requestLogRetentionDays) + 1);
  }

  private pruneTable(table: AgingTable, days: number): Promise<void> {
    return this.inBatches((rows) => this.store.prune(table, days, rows));
  }
}
