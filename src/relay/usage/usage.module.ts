import { Inject, Logger, Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { systemClock } from '../../kernel/clock.js';
import type { AccountId } from '../../kernel/ids.js';
import { AccountChanges } from '../platform/api/account-changes.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { RequestLogEntity } from './request-log.entity.js';
import { RequestLogStore } from './request-log.store.js';
import { UsageSeriesController } from './series/usage-series.controller.js';
import { UsageSeriesStore } from './series/usage-series.store.js';
import { UsageAtRecovery } from './usage-at-recovery.store.js';
import { UsageController } from './usage.controller.js';
import { UsageHourEntity } from './usage-hour.entity.js';
import { UsageNameEntity } from './usage-name.entity.js';
import { UsageRecorder } from './usage-recorder.js';
import { UsageRetention, UsageRetentionStore } from './usage-retention.store.js';
import type { UsageRow } from './usage-row.js';
import { UsageTotalsStore } from './usage-totals.store.js';
import { UsageWriterStore } from './usage-writer.store.js';

function createRecorder(store: UsageWriterStore, { settings }: RelayConfig, changes: AccountChanges): UsageRecorder {
  const logger = new Logger('Usage');
  const events = {
    notWritten: (error: unknown) => {
      logger.warn('usage not written yet', { error: String(error) });
    },
    lost: (requests: number) => {
      logger.warn('requests are not metered: too many wait for the database', { requests });
    },
  };
  const write = async (rows: readonly UsageRow[]): Promise<void> => {
    await store.write(rows);
    publishUsage(changes, rows);
  };
  return new UsageRecorder(write, settings, events, systemClock);
}

/** Rows of one account often follow each other: one publication each time the account changes. */
function publishUsage(changes: AccountChanges, rows: readonly UsageRow[]): void {
  let previous: string | undefined;
  for (const { account_id: account } of rows) {
    if (account === previous) continue;
    previous = account;
    changes.publish(account as AccountId, 'requests');
    changes.publish(account as AccountId, 'usage');
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([RequestLogEntity, UsageHourEntity, UsageNameEntity])],
  controllers: [UsageController, UsageSeriesController],
  providers: [
    UsageWriterStore,
    UsageTotalsStore,
    UsageSeriesStore,
    RequestLogStore,
    UsageRetentionStore,
    UsageRetention,
    UsageAtRecovery,
    { provide: UsageRecorder, inject: [UsageWriterStore, RELAY_CONFIG, AccountChanges], useFactory: createRecorder },
  ],
  exports: [UsageRecorder, UsageTotalsStore, RequestLogStore],
})
export class UsageModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(@Inject(UsageRecorder) private readonly recorder: UsageRecorder) {}

  onApplicationBootstrap(): void {
    this.recorder.start();
  }

  /** Before `onApplicationShutdown`, which closes the database. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.recorder.stop();
  }
}
