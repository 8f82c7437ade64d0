import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { Retention } from '../platform/lifecycle/retention.js';
import { RequestLogEntity } from './request-log.entity.js';

/** Each of these columns is indexed. */
const ageColumns = { request_log: 'started_at', usage_hour: 'hour', usage_name: 'seen_at' } as const;
type AgingTable = keyof typeof ageColumns;

@Injectable()
export class UsageRetentionStore {
  constructor(@InjectRepository(RequestLogEntity) private readonly requests: Repository<RequestLogEntity>) {}

  /** Deletes older rows, at most `limit`. @returns how many were deleted */
  async prune(table: AgingTable, olderThanDays: number, limit: number): Promise<number> {
    const [{ deleted }] = await this.requests.query<[{ deleted: number }]>(
      `WITH gone AS (
         DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${table} WHERE ${ageColumns[table]} < now() - $1 * interval '1 day' LIMIT $2))
         RETURNING 1)
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
