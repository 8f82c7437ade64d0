import { Inject, Injectable } from '@nestjs/common';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { Retention } from '../../platform/lifecycle/retention.js';
import { IdempotentRequestsStore } from './idempotent-requests.store.js';

/** Forgets keys whose time is over. They count no more from that moment on; this only gives back the space. */
@Injectable()
export class IdempotencyRetention extends Retention {
  constructor(
    private readonly store: IdempotentRequestsStore,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    super({ room: 'Idempotency', everyMs: 15 * 60_000, complaint: 'idempotency keys not pruned' });
  }

  protected override async pruneAll(): Promise<void> {
    await this.inBatches((rows) => this.store.prune(this.config.settings.idempotencyRetentionHours, rows));
  }
}
