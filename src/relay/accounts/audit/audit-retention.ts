import { Inject, Injectable } from '@nestjs/common';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { Retention } from '../../platform/lifecycle/retention.js';
import { AuditEventsStore } from './audit-events.store.js';

/** Deletes events beyond the retention. */
@Injectable()
export class AuditRetention extends Retention {
  constructor(
    private readonly store: AuditEventsStore,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    super({ context: 'Audit', everyMs: 6 * 3_600_000, failureMessage: 'audit events not pruned' });
  }

  protected override async pruneAll(): Promise<void> {
    await this.inBatches((rows) => this.store.prune(this.config.settings.auditRetentionDays, rows));
  }
}
