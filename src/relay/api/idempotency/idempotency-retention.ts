import { Inject, Injectable } from '@nestjs/common';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { Retention } from '../../platform/lifecycle/retention.js';
import { IdempotentRequestsStore } from './idempotent-requests.store.js';

/** Deletes expired keys, which are ignored already, to free their space. */
@Injectable()
export class IdempotencyRetention extends Retention {
  constructor(
    private readonly store: IdempotentRequestsStore,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    super({ context: 'Idempotency', everyMs: 15 * 60_000, failureMessage: 'idempotency keys not pruned' });
  }

  protected override async pruneAll(): Promise<void> {
    await this.inBatches((rows) => this.store.prune(this.config.settings.idempotencyRetentionHours, rows));
  }
}
