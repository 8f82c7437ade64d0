import { Global, Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyRetention } from './idempotency/idempotency-retention.js';
import { IdempotentRequestEntity } from './idempotency/idempotent-request.entity.js';
import { IdempotentRequests } from './idempotency/idempotent-requests.js';
import { IdempotentRequestsStore } from './idempotency/idempotent-requests.store.js';
import { AddressRateMiddleware } from '../limits/address-rate.middleware.js';
import { ManagementRates } from '../limits/management-rates.js';

/** The dependencies of `@ManagementController()`: rates and idempotency. Global, because it is used in every feature. */
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
