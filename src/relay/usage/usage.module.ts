import {
  Inject,
  Logger,
  Module,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  Injectable,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { systemClock } from '../../kernel/clock.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { RequestLogEntity } from './request-log.entity.js';
import { RequestLogStore } from './request-log.store.js';
import { UsageController } from './usage.controller.js';
import { UsageHourEntity } from './usage-hour.entity.js';
import { UsageNameEntity } from './usage-name.entity.js';
import { UsageRecorder } from './usage-recorder.js';
import { UsageRetentionStore, type AgingTable } from './usage-retention.store.js';
import { UsageTotalsStore } from './usage-totals.store.js';
import { UsageWriterStore } from './usage-writer.store.js';
import { Retention } from '../platform/lifecycle/retention.js';

/** Deletes usage and requests beyond their retention. */
@Injectable()
export class UsageRetention extends Retention {
  constructor(
    private readonly store: UsageRetentionStore,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    super({ context: 'Usage', everyMs: 3_600_000, failureMessage: 'old usage not deleted' });
  }

  protected override async pruneAll(): Promise<void> {
    const { requestLogRetentionDays, usageRetentionDays } = this.config.settings;
    await this.pruneTable('request_log', requestLogRetentionDays);
    await this.pruneTable('usage_hour', usageRetentionDays);
    // `seen_at` is accurate to a day.
    await this.pruneTable('usage_name', Math.max(usageRetentionDays, requestLogRetentionDays) + 1);
  }

  private pruneTable(table: AgingTable, days: number): Promise<void> {
    return this.inBatches((rows) => this.store.prune(table, days, rows));
  }
}

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
