import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { systemClock } from '../../kernel/clock.js';
import { AuditModule } from '../audit/audit.module.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ClientOrigins } from '../platform/http/client-origin.js';
import { DrainRegistry } from '../platform/lifecycle/drain-registry.js';
import { ClustersModule } from '../clusters/clusters.module.js';
import { DeviceCodeEntity } from './device-codes/device-code.entity.js';
import { DeviceCodesController } from './device-codes/device-codes.controller.js';
import { DeviceCodesService } from './device-codes/device-codes.service.js';
import { DeviceCodesStore } from './device-codes/device-codes.store.js';
import { EnrolmentBodyInterceptor } from './enrolment/enrolment-body.interceptor.js';
import { EnrolmentService } from './enrolment/enrolment.service.js';
import { LinkController } from './enrolment/link.controller.js';
import { HandshakeLimits } from './handshake/handshake-limits.js';
import { LinkNonces } from './handshake/link-nonce.js';
import { NodeAuthenticator } from './handshake/node-authenticator.js';
import { UsedNonceEntity } from './handshake/used-nonce.entity.js';
import { LinkPreparation } from './link-preparation.js';
import { NodeEntity } from './node.entity.js';
import { NodeChangesStore } from './node-changes.store.js';
import { NodesService } from './nodes.service.js';
import { NodesStore } from './nodes.store.js';
import { LinkDrain } from './online/link-drain.js';
import { LinkGateway } from './online/link.gateway.js';
import { NodeRegistry } from './online/node-registry.js';
import { SightingsWriter } from './sightings.writer.js';

@Module({
  imports: [AuditModule, TypeOrmModule.forFeature([NodeEntity, UsedNonceEntity, DeviceCodeEntity]), ClustersModule],
  controllers: [LinkController, DeviceCodesController],
  providers: [
    NodesStore,
    NodeChangesStore,
    NodesService,
    EnrolmentService,
    DeviceCodesStore,
    DeviceCodesService,
    EnrolmentBodyInterceptor,
    LinkPreparation,
    LinkGateway,
    SightingsWriter,
    { provide: NodeRegistry, useFactory: () => new NodeRegistry(systemClock) },
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
      inject: [NodesStore, LinkNonces, HandshakeLimits, NodeRegistry, LinkPreparation, ClientOrigins, RELAY_CONFIG],
      useFactory: (
        ledger: NodesStore,
        nonces: LinkNonces,
        limits: HandshakeLimits,
        registry: NodeRegistry,
        preparation: LinkPreparation,
        origins: ClientOrigins,
        { settings }: RelayConfig,
      ) =>
        new NodeAuthenticator({
          ledger,
          nonces,
          limits,
          origins,
          baseUrl: settings.baseUrl,
          isDraining: () => registry.draining,
          conflictSeconds: (nodeId) => registry.conflictSeconds(nodeId),
          prepare: (accountId) => preparation.run(accountId),
        }),
    },
  ],
  exports: [NodesService, DeviceCodesService, NodeRegistry, LinkPreparation],
})
export class NodesModule implements OnModuleInit {
  constructor(
    private readonly registry: NodeRegistry,
    private readonly drains: DrainRegistry,
  ) {}

  onModuleInit(): void {
    this.drains.register(new LinkDrain(this.registry, systemClock, Math.random));
  }
}
