import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { systemClock } from '../../../kernel/clock.js';
import { InventoryModule } from '../../inventory/inventory.module.js';
import { AccountPreloader } from '../../nodes/account-preloader.js';
import { NodesModule } from '../../nodes/nodes.module.js';
import { NodeRegistry } from '../../nodes/registry/node-registry.js';
import { ReachableNodes } from '../../nodes/registry/reachable-nodes.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { BodyBudget } from '../../platform/http/body/body-budget.js';
import { DrainRegistry } from '../../platform/lifecycle/drain-registry.js';
import { PresenceModule } from '../../replicas/presence/presence.module.js';
import { PresenceService } from '../../replicas/presence/presence.service.js';
import { BusRejections } from '../../replicas/bus/bus-rejections.js';
import { createTransport } from '../../replicas/bus/create-transport.js';
import { MessageBus } from '../../replicas/bus/message-bus.js';
import { ReplicasModule } from '../../replicas/replicas.module.js';
import { RoutingModule } from '../routing.module.js';
import { RoutingService } from '../routing.service.js';
import { HopService } from './hop.service.js';

/** Requests for nodes that only other replicas have a link to. Does nothing in a relay without NATS. */
@Module({
  imports: [ReplicasModule, PresenceModule, NodesModule, InventoryModule, RoutingModule],
  providers: [
    {
      provide: HopService,
      inject: [
        MessageBus,
        PresenceService,
        NodeRegistry,
        ReachableNodes,
        AccountPreloader,
        RoutingService,
        BodyBudget,
        BusRejections,
        RELAY_CONFIG,
      ],
      useFactory: (
        bus: MessageBus,
        { table }: PresenceService,
        registry: NodeRegistry,
        reachable: ReachableNodes,
        preloader: AccountPreloader,
        routing: RoutingService,
        budget: BodyBudget,
        rejections: BusRejections,
        config: RelayConfig,
      ) =>
        new HopService({
          bus,
          // Not the bus: large responses must not delay presence and revocations, nor end their connection.
          transport: createTransport(config, 'hop', config.settings.hopPendingLimitBytes, rejections),
          table,
          registry,
          reachable,
          prepare: (accountId) => preloader.run(accountId),
          slots: routing,
          budget,
          clock: systemClock,
          random: Math.random,
          config,
        }),
    },
  ],
})
export class HopModule implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly hop: HopService,
    private readonly drains: DrainRegistry,
  ) {}

  onModuleInit(): void {
    this.drains.register({ name: 'hop', drain: () => this.hop.drain() });
  }

  onApplicationBootstrap(): void {
    this.hop.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.hop.stop();
  }
}
