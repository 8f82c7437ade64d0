import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditController } from './audit.controller.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { AuditEventsStore } from './audit-events.store.js';
import { AuditRetention } from './audit-retention.js';
import { AuditTrail } from './audit-trail.store.js';

/** Global, because every feature records its changes. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AuditEventEntity])],
  controllers: [AuditController],
  providers: [AuditTrail, AuditEventsStore, AuditRetention],
  exports: [AuditTrail, AuditEventsStore],
})
export class AuditModule {}
