import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditController } from './audit.controller.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { AuditEventsStore } from './audit-events.store.js';
import { AuditRetention } from './audit-retention.js';
import { AuditTail } from './audit-tail.js';
import { AuditTrail } from './audit-trail.store.js';
import { AuditedChanges } from './audited-changes.store.js';

/** Global, because every feature records its changes. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEventEntity])],
  controllers: [AuditController],
  providers: [AuditTrail, AuditEventsStore, AuditRetention, AuditedChanges, AuditTail],
  exports: [AuditTrail, AuditEventsStore, AuditedChanges, AuditTail],
})
export class AuditModule {}
