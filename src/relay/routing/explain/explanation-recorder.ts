import { Inject, Injectable, Logger } from '@nestjs/common';
import { systemClock } from '../../../kernel/clock.js';
import { AppendedItems } from '../../platform/database/pending-items.js';
import { WriteBehind } from '../../platform/database/write-behind.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { Retention } from '../../platform/lifecycle/retention.js';
import { ExplanationsStore, type StoredExplanation } from './explanations.store.js';
import { requestRecord } from './request-record.js';
import type { RequestTrace } from './request-trace.js';
import { StorageAllowance } from './storage-allowance.js';

/** Of one write. A record of 64 candidates has about 20 kB. */
const BATCH_RECORDS = 50;
const RETRY_MS = 5_000;
/** While the database is away, later ones are left out: they are a help, and no record of what was used. */
const WAITING_RECORDS = 500;

/**
 * Stores explanations of finished requests, so that they survive a restart: all of them on a quiet relay; on a busy one those of requests
 * that were not ordinary, and of the others as many as the allowance leaves.
 */
@Injectable()
export class ExplanationRecorder extends Retention {
  private readonly allowance: StorageAllowance;
  private readonly waiting: WriteBehind<StoredExplanation>;

  constructor(
    private readonly store: ExplanationsStore,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    super({ context: 'Routing', everyMs: 3_600_000, failureMessage: 'old explanations not deleted' });
    const logger = new Logger('Routing');
    this.allowance = new StorageAllowance(config.settings.explanationsStoredPerSecond, systemClock);
    this.waiting = new WriteBehind({
      write: (records) => store.save(records),
      batchItems: BATCH_RECORDS,
      retryMs: RETRY_MS,
      pending: new AppendedItems(),
      onFailure: (error) => {
        logger.warn('explanations not stored yet', { error: String(error) });
      },
    });
  }

  /** Never throws and never waits. Called for every request: nothing is rendered beyond the allowance. */
  record(trace: RequestTrace): void {
    if (this.waiting.size >= WAITING_RECORDS || !this.allowance.take(isOrdinary(trace))) return;
    const { accountId, id } = trace;
    const explanation = { accountId, endedAtMs: systemClock.wallMs(), record: requestRecord(trace) };
    this.waiting.put(id, explanation, this.config.settings.usageFlushMs);
  }

  /** Writes those that wait. Never rejects. */
  flush(): Promise<void> {
    return this.waiting.flush();
  }

  /** Before the database is closed. */
  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.waiting.stop();
  }

  protected override async pruneAll(): Promise<void> {
    const { explanationsKeptPerAccount, requestLogRetentionDays } = this.config.settings;
    await this.inBatches((rows) => this.store.prune(explanationsKeptPerAccount, requestLogRetentionDays, rows));
  }
}

/** Completed by the first node that was asked, without a wait. */
const isOrdinary = ({ outcome, attempts, queuedMs }: RequestTrace): boolean =>
  outcome === 'completed' && attempts.length === 1 && queuedMs < 1;
