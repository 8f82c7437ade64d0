import { Inject, Logger, Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { systemClock } from '../../kernel/clock.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { RequestLogEntity } from './request-log.entity.js';
import { RequestLogStore } from './request-log.store.js';
import { UsageController } from './usage.controller.js';
import { UsageHourEntity } from './usage-hour.entity.js';
import { UsageNameEntity } from './usage-name.entity.js';
import { UsageRecorder } from './usage-recorder.js';
import { UsageRetention, UsageRetentionStore } from './usage-retention.store.js';
import { UsageTotalsStore } from './usage-totals.store.js';
import { UsageWriterStore } from './usage-writer.store.js';

function createRecorder(store: UsageWriterStore, { settings }: RelayConfig): UsageRecorder {
  const logger = new Logger('Usage');
  const events = {
    notWritten: (error: unknown) => {
      logger.warn('usage not written yet', { error: String(error) });
    },
    lost: (requests: number) => {
      logger.warn('requests are not metered: too many wait for the database', { requests });
    },
  };
  return new UsageRecorder((rows) => store.write(rows), settings, events, systemClock);
}

@Module({
  imports: [TypeOrmModule.forFeature([RequestLogEntity, UsageHourEntity, UsageNameEntity])],
  controllers: [UsageController],
  providers: [
    UsageWriterStore,
    UsageTotalsStore,
    RequestLogStore,
    UsageRetentionStore,
    UsageRetention,
    { provide: UsageRecorder, inject: [UsageWriterStore, RELAY_CONFIG], useFactory: createRecorder },
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
