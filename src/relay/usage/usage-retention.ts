import { Inject, Injectable } from '@nestjs/common';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { Retention } from '../platform/lifecycle/retention.js';
import { UsageRetentionStore, type AgingTable } from './usage-retention.store.js';

/** Forgets what is older than the owner of the relay wants it kept. */
@Injectable()
export class UsageRetention extends Retention {
  constructor(
    private readonly store: UsageRetentionStore,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    super({ room: 'Usage', everyMs: 3_600_000, complaint: 'old usage not deleted' });
  }

  protected override async pruneAll(): Promise<void> {
    const { requestLogRetentionDays, usageRetentionDays } = this.config.settings;
    await this.pruneTable('request_log', requestLogRetentionDays);
    await this.pruneTable('usage_hour', usageRetentionDays);
    // A name is as old as the last day on which it was noted.
    await this.pruneTable('usage_name', Math.max(usageRetentionDays, requestLogRetentionDays) + 1);
  }

  private pruneTable(table: AgingTable, days: number): Promise<void> {
    return this.inBatches((rows) => this.store.prune(table, days, rows));
  }
}
