import { Inject, Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { systemClock } from '../../../kernel/clock.js';
import { NodeHealth } from '../../nodes/health/node-health.js';
import { NodesModule } from '../../nodes/nodes.module.js';
import { NodeRegistry } from '../../nodes/registry/node-registry.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { MessageBus } from '../bus/message-bus.js';
import { ensureInstanceId } from '../instance-id.js';
import { ReplicasModule } from '../replicas.module.js';
import { respondWithReports } from './nodes-of-other-replicas.js';
import { OtherReplicasModule } from './other-replicas.module.js';
import { PresenceTable } from './presence-table.js';
import { PresenceService } from './presence.service.js';
import { shareConflicts } from './shared-conflicts.js';
import { shareHealth } from './shared-health.js';

/** Does nothing in a relay without NATS, which has no other replicas. */
@Module({
  imports: [ReplicasModule, OtherReplicasModule, NodesModule],
  providers: [
    {
      provide: PresenceService,
      inject: [PresenceTable, MessageBus, NodeRegistry, RELAY_CONFIG],
      useFactory: async (
        table: PresenceTable,
        bus: MessageBus,
        nodes: NodeRegistry,
        { settings, dataDirectory }: RelayConfig,
      ) =>
        new PresenceService({
          table,
          bus,
          nodes,
          instanceId: await ensureInstanceId(dataDirectory),
          linkAddress: settings.linkUrl,
          clock: systemClock,
          random: Math.random,
          limits: settings,
        }),
    },
  ],
  exports: [PresenceService],
})
export class PresenceModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private ends: (() => void)[] = [];

  constructor(
    private readonly presence: PresenceService,
    private readonly bus: MessageBus,
    private readonly registry: NodeRegistry,
    private readonly health: NodeHealth,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.config.replicated) return;
    const { presence, bus, registry, health } = this;
    this.ends = [
      respondWithReports(bus, registry),
      shareConflicts(bus, registry),
      shareHealth(bus, health, systemClock),
      () => {
        presence.stop();
      },
    ];
    presence.start();
  }

  /** The bus is closed after it. */
  beforeApplicationShutdown(): void {
    for (const end of this.ends.splice(0)) end();
  }
}
