import { Inject, Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { systemClock } from '../../kernel/clock.js';
import { ReplicaDirectory } from '../nodes/handshake/live-replicas.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { NodesElsewhere } from '../nodes/registry/nodes-elsewhere.js';
import { NodeRegistry } from '../nodes/registry/node-registry.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { MessageBus } from '../replicas/bus/message-bus.js';
import { ensureInstanceId } from '../replicas/instance-id.js';
import { ReplicasModule } from '../replicas/replicas.module.js';
import { PresenceService } from './presence.service.js';

/** Does nothing in a relay without NATS, which has no other replicas. */
@Module({
  imports: [ReplicasModule, NodesModule],
  providers: [
    {
      provide: PresenceService,
      inject: [MessageBus, NodeRegistry, RELAY_CONFIG],
      useFactory: async (bus: MessageBus, nodes: NodeRegistry, { settings, dataDirectory }: RelayConfig) =>
        new PresenceService({
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
  private readonly active: boolean;
  private readonly linkAddresses: readonly string[];

  constructor(
    private readonly presence: PresenceService,
    private readonly directory: ReplicaDirectory,
    private readonly elsewhere: NodesElsewhere,
    @Inject(RELAY_CONFIG) { settings }: RelayConfig,
  ) {
    this.active = settings.natsUrl !== undefined;
    this.linkAddresses = settings.linkUrl === undefined ? [] : [settings.linkUrl];
  }

  onApplicationBootstrap(): void {
    if (!this.active) return;
    this.directory.askInstead({
      count: () => this.presence.table.servingReplicas + 1,
      // In one order, so that nodes are told of changes only.
      linkAddresses: () => [...this.linkAddresses, ...this.presence.table.linkAddresses].sort(),
      joins: () => this.presence.table.joins,
    });
    this.elsewhere.askInstead((accountId, nodeId) => {
      const found = this.presence.table.find(accountId, nodeId);
      if (found.length === 0) return undefined;
      return { acceptsWork: found.some(({ availability }) => availability !== 'unavailable') };
    });
    this.presence.start();
  }

  /** The bus is closed after it. */
  beforeApplicationShutdown(): void {
    if (this.active) this.presence.stop();
  }
}
