import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InventoryModule } from '../inventory/inventory.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { RELAY_CONFIG } from '../platform/config/relay-config.js';
import { ConcurrencyQueries } from '../platform/limits/concurrency-queries.js';
import { MessageBus } from '../replicas/bus/message-bus.js';
import { PresenceTable } from '../replicas/presence/presence-table.js';
import { PresenceModule } from '../replicas/presence/presence.module.js';
import { ReplicasModule } from '../replicas/replicas.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { ExplanationRecorder } from './explain/explanation-recorder.js';
import { ExplanationsStore } from './explain/explanations.store.js';
import { RequestExplanationEntity } from './explain/request-explanation.entity.js';
import { RequestsController } from './explain/requests.controller.js';
import { StarterModelsController } from './starter-models/starter-models.controller.js';
import { ReplicaRequests } from './explain/replica-requests.js';
import { StoppedRequestsStore } from './explain/stopped-requests.store.js';
import { LearnedRateEntity } from './learned-rates/learned-rate.entity.js';
import { LearnedRatesService } from './learned-rates/learned-rates.service.js';
import { LearnedRatesStore } from './learned-rates/learned-rates.store.js';
import { createConcurrencyQueries, LimitGossipService } from './limit-gossip.service.js';
import { OutcomeRecorder } from './request/outcome-recorder.js';
import { routingProviders } from './routing-providers.js';
import { RoutingService } from './routing.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([LearnedRateEntity, RequestExplanationEntity]),
    KeysModule,
    ReplicasModule,
    NodesModule,
    PresenceModule,
    InventoryModule,
    UsageModule,
  ],
  controllers: [RequestsController, StarterModelsController],
  providers: [
    OutcomeRecorder,
    {
      provide: ConcurrencyQueries,
      inject: [MessageBus, PresenceTable, RELAY_CONFIG],
      useFactory: createConcurrencyQueries,
    },
    ...routingProviders,
    ExplanationsStore,
    ExplanationRecorder,
    RoutingService,
    ReplicaRequests,
    StoppedRequestsStore,
    LearnedRatesStore,
    LearnedRatesService,
    LimitGossipService,
  ],
  exports: [RoutingService],
})
export class RoutingModule {}
