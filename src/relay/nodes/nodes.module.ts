import { Global, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { systemClock } from '../../kernel/clock.js';
import type { NodeId } from '../../kernel/ids.js';
import { AuditTail } from '../accounts/audit/audit-tail.js';
import { AuditModule } from '../accounts/audit/audit.module.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ClientOrigins } from '../platform/http/client-origin.js';
import { DrainRegistry } from '../platform/lifecycle/drain-registry.js';
import { OverloadGuard } from '../platform/lifecycle/overload-guard.js';
import { TimerWheel } from '../platform/timing/timer-wheel.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CLUSTER_NODES } from '../clusters/cluster-nodes.js';
import { ClustersModule } from '../clusters/clusters.module.js';
import { NodeDeviceCodesController } from './device-codes/device-code-approvals.controller.js';
import { DeviceCodeEntity } from './device-codes/device-code.entity.js';
import { DeviceCodesController } from './device-codes/device-codes.controller.js';
import { DeviceCodesService } from './device-codes/device-codes.service.js';
import { DeviceCodesStore } from './device-codes/device-codes.store.js';
import { DevicesController } from './devices/devices.controller.js';
import { DevicesService } from './devices/devices.service.js';
import { EnrolmentBodyInterceptor } from './enrolment/enrolment-body.interceptor.js';
import { EnrolmentService } from './enrolment/enrolment.service.js';
import { LinkController } from './enrolment/link.controller.js';
import { HandshakeLimits } from './handshake/handshake-limits.js';
import { LinkNonces } from './handshake/link-nonce.js';
import { LIVE_REPLICAS, type LiveReplicas } from './handshake/live-replicas.js';
import { NodeAuthenticator } from './handshake/node-authenticator.js';
import { UsedNonceEntity } from './handshake/used-nonce.entity.js';
import type { Health } from './health/health-view.js';
import { NodeHealth } from './health/node-health.js';
import { AccountPreloader } from './account-preloader.js';
import { NodeEntity } from './node.entity.js';
import { NodeChangesStore } from './node-changes.store.js';
import { NodesController } from './nodes.controller.js';
import { NodesService } from './nodes.service.js';
import { NodesStore } from './nodes.store.js';
import { LinkDrain } from './registry/link-drain.js';
import { LinkGateway } from './registry/link.gateway.js';
import { NodeRegistry } from './registry/node-registry.js';
import { NODES_OF_REPLICAS, ReachableNodes, type NodesOfReplicas } from './registry/reachable-nodes.js';
import { ReplicaAnnouncements } from './registry/replica-announcements.js';
import { LastSeenWriter } from './last-seen.writer.js';
import { NodeSampleEntity } from './samples/node-sample.entity.js';
import { NodeSampler } from './samples/node-sampler.js';
import { NodeSamplesStore } from './samples/node-samples.store.js';

const logger = new Logger('Nodes');

function logHealth(nodeId: NodeId, modelKey: string | null, { state, reason }: Health): void {
  const place = modelKey === null ? `node=${nodeId}` : `node=${nodeId} model=${JSON.stringify(modelKey)}`;
  logger.warn(`${place} health=${state}${reason === null ? '' : ` reason=${reason}`}`);
}

/** Global, because clusters are shown with their nodes, and are below them. */
@Global()
@Module({
  imports: [
    AuditModule,
    TypeOrmModule.forFeature([NodeEntity, NodeSampleEntity, UsedNonceEntity, DeviceCodeEntity]),
    AccountsModule,
    ClustersModule,
  ],
  controllers: [
    LinkController,
    DeviceCodesController,
    DevicesController,
    // Before `NodesController`: `device-codes` is no id.
    NodeDeviceCodesController,
    NodesController,
  ],
  providers: [
    NodesStore,
    NodeChangesStore,
    NodesService,
    { provide: CLUSTER_NODES, useExisting: NodesService },
    EnrolmentService,
    DeviceCodesStore,
    DeviceCodesService,
    DevicesService,
    EnrolmentBodyInterceptor,
    AccountPreloader,
    LinkGateway,
    LastSeenWriter,
    NodeSamplesStore,
    NodeSampler,
    {
      provide: NodeHealth,
      inject: [TimerWheel, RELAY_CONFIG],
      useFactory: (timers: TimerWheel, { settings }: RelayConfig) =>
        new NodeHealth({ clock: systemClock, timers, limits: settings, onChange: logHealth }),
    },
    {
      provide: ReplicaAnnouncements,
      inject: [LIVE_REPLICAS, RELAY_CONFIG],
      useFactory: (replicas: LiveReplicas, { settings }: RelayConfig) =>
        new ReplicaAnnouncements(replicas, settings.linkUrl ?? null, systemClock),
    },
    {
      provide: NodeRegistry,
      inject: [ReplicaAnnouncements],
      useFactory: (replicas: ReplicaAnnouncements) => new NodeRegistry(systemClock, replicas),
    },
    {
      provide: ReachableNodes,
      inject: [NodeRegistry, NODES_OF_REPLICAS],
      useFactory: (registry: NodeRegistry, elsewhere: NodesOfReplicas) => new ReachableNodes(registry, elsewhere),
    },
    {
      provide: HandshakeLimits,
      inject: [RELAY_CONFIG],
      useFactory: ({ settings }: RelayConfig) => new HandshakeLimits(settings),
    },
    {
      provide: LinkNonces,
      inject: [RELAY_CONFIG],
      useFactory: ({ secret, settings }: RelayConfig) =>
        new LinkNonces(secret, settings.linkNonceLifetimeMs, systemClock),
    },
    {
      provide: NodeAuthenticator,
      inject: [NodesStore, LinkNonces, HandshakeLimits, NodeRegistry, AccountPreloader, ClientOrigins, RELAY_CONFIG],
      useFactory: (
        store: NodesStore,
        nonces: LinkNonces,
        limits: HandshakeLimits,
        registry: NodeRegistry,
        preloader: AccountPreloader,
        origins: ClientOrigins,
        { settings, replicaId }: RelayConfig,
      ) =>
        new NodeAuthenticator({
          store,
          nonces,
          limits,
          origins,
          baseUrl: settings.baseUrl,
          replicaId,
          isDraining: () => registry.draining,
          conflictSeconds: (nodeId) => registry.conflictSeconds(nodeId),
          prepare: (accountId) => preloader.run(accountId),
        }),
    },
  ],
  exports: [
    NodeSamplesStore,
    NodesService,
    CLUSTER_NODES,
    DeviceCodesService,
    NodeRegistry,
    ReachableNodes,
    NodeHealth,
    AccountPreloader,
  ],
})
export class NodesModule implements OnModuleInit {
  constructor(
    private readonly registry: NodeRegistry,
    private readonly drains: DrainRegistry,
    private readonly nodes: NodesService,
    private readonly tail: AuditTail,
    private readonly overload: OverloadGuard,
  ) {}

  onModuleInit(): void {
    this.overload.countRunningBy(() => this.registry.openStreams);
    this.tail.listen('node', ({ accountId, objectId }) => this.nodes.follow(accountId, objectId as NodeId));
    this.drains.register(new LinkDrain(this.registry, systemClock, Math.random));
  }
}
