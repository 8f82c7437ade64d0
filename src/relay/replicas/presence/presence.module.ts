import { Inject, Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { systemClock } from '../../../kernel/clock.js';
import { ReplicaDirectory } from '../../nodes/handshake/live-replicas.js';
import { NodesModule } from '../../nodes/nodes.module.js';
import { NodeRegistry } from '../../nodes/registry/node-registry.js';
import { ReachableNodes } from '../../nodes/registry/reachable-nodes.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { MessageBus } from '../bus/message-bus.js';
import { ensureInstanceId } from '../instance-id.js';
import { ReplicasModule } from '../replicas.module.js';
import { KnownReplicas } from './known-replicas.js';
import { NodeReports } from './node-reports.js';
import { PresenceService } from './presence.service.js';
import { shareConflicts } from './shared-conflicts.js';

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
  private readonly replicas: KnownReplicas;
  private readonly reports: NodeReports;
  private endReports: () => void = () => undefined;
  private endConflicts: () => void = () => undefined;

  constructor(
    private readonly presence: PresenceService,
    private readonly directory: ReplicaDirectory,
    private readonly reachable: ReachableNodes,
    private readonly bus: MessageBus,
    private readonly registry: NodeRegistry,
    @Inject(RELAY_CONFIG) { settings, replicated }: RelayConfig,
  ) {
    this.active = replicated;
    this.replicas = new KnownReplicas({
      table: presence.table,
      bus,
      clock: systemClock,
      linkAddress: settings.linkUrl ?? null,
      settleMs: settings.presenceSilentAfterMs,
    });
    this.reports = new NodeReports({
      bus,
      registry,
      table: presence.table,
      timeoutMs: settings.replicaAnswerTimeoutMs,
    });
  }

  onApplicationBootstrap(): void {
    if (!this.active) return;
    this.directory.setSource(this.replicas);
    this.reachable.setElsewhere({
      find: (accountId, nodeId) => {
        const found = this.presence.table.find(accountId, nodeId);
        if (found.length === 0) return undefined;
        return { acceptsWork: found.some(({ availability }) => availability !== 'unavailable') };
      },
      reports: (accountId, nodeIds) => this.reports.query(accountId, nodeIds),
    });
    this.endReports = this.reports.respond();
    this.endConflicts = shareConflicts(this.bus, this.registry);
    this.presence.start();
  }

  /** The bus is closed after it. */
  beforeApplicationShutdown(): void {
    this.endReports();
    this.endConflicts();
    if (this.active) this.presence.stop();
  }
}
