import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { NewAuditEvent } from '../../accounts/audit/audit-event.js';
import { AuditTrail } from '../../accounts/audit/audit-trail.store.js';

/** Records who stopped a request. */
@Injectable()
export class StoppedRequestsStore {
  constructor(
    private readonly source: DataSource,
    private readonly audit: AuditTrail,
  ) {}

  /** @param stop called once the event is written: without a record no request is stopped, and a stop that fails is not recorded */
  async record(event: NewAuditEvent, stop: () => Promise<void>): Promise<void> {
    await this.source.transaction(async (manager) => {
      await this.audit.record(manager, event);
      await stop();
    });
  }
}
