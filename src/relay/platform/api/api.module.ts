import { Global, Module, type MiddlewareConsumer, type NestModule, Inject, Injectable } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountChanges } from './account-changes.js';
import { IdempotentRequestEntity } from './idempotency/idempotent-request.entity.js';
import { IdempotentRequests } from './idempotency/idempotent-requests.js';
import { IdempotentRequestsStore } from './idempotency/idempotent-requests.store.js';
import { PersonFeeds } from './person-feeds.js';
import { AddressRateMiddleware } from '../limits/address-rate.middleware.js';
import { ManagementRates } from '../limits/management-rates.js';
import { RELAY_CONFIG, type RelayConfig } from '../config/relay-config.js';
import { Retention } from '../lifecycle/retention.js';

/** Deletes expired keys, which are ignored already, to free their space. */
@Injectable()
class IdempotencyRetention extends Retention {
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

/** The dependencies of `@ManagementController()`: rates and idempotency. Global, because it is used in every feature. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotentRequestEntity])],
  providers: [
    AccountChanges,
    ManagementRates,
    IdempotentRequestsStore,
    IdempotentRequests,
    IdempotencyRetention,
    PersonFeeds,
  ],
  exports: [AccountChanges, ManagementRates, IdempotentRequests, PersonFeeds],
})
export class ApiModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(AddressRateMiddleware).forRoutes('api/*path');
  }
}
