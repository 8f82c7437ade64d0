import { Global, Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyRetention } from './idempotency/idempotency-retention.js';
import { IdempotentRequestEntity } from './idempotency/idempotent-request.entity.js';
import { IdempotentRequests } from './idempotency/idempotent-requests.js';
import { IdempotentRequestsStore } from './idempotency/idempotent-requests.store.js';
import { AddressRateMiddleware } from '../limits/address-rate.middleware.js';
import { ManagementRates } from '../limits/management-rates.js';

/** What `@ManagementController()` needs wherever it is used, hence global: rates, and requests that are recognised when they come again. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotentRequestEntity])],
  providers: [ManagementRates, IdempotentRequestsStore, IdempotentRequests, IdempotencyRetention],
  exports: [ManagementRates, IdempotentRequests],
})
export class ApiModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(AddressRateMiddleware).forRoutes('api/*path');
  }
}
