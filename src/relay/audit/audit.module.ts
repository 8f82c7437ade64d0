import { Global, Module, Inject, Injectable } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditController } from './audit.controller.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { AuditEventsStore } from './audit-events.store.js';
import { AuditTail } from './audit-tail.js';
import { AuditTrail } from './audit-trail.store.js';
import { AuditedChanges } from './audited-changes.store.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { Retention } from '../platform/lifecycle/retention.js';

/** Deletes events beyond the retention. */
@Injectable()
class AuditRetention extends Retention {
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

/** Global, because every feature records its changes. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEventEntity])],
  controllers: [AuditController],
  providers: [AuditTrail, AuditEventsStore, AuditRetention, AuditedChanges, AuditTail],
  exports: [AuditTrail, AuditEventsStore, AuditTail],
})
export class AuditModule {}
