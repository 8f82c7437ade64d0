import { Inject, Injectable } from '@nestjs/common';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { Retention } from '../platform/lifecycle/retention.js';
import { UsageRetentionStore, type AgingTable } from './usage-retention.store.js';

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
