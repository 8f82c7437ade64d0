import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { filter } from 'rxjs';
import { z } from 'zod';
import { ChangeNotices, type ChangeNotice } from '../platform/changes/change-notices.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ReadinessRegistry } from '../platform/lifecycle/readiness-registry.js';
import { LocalTransport } from './bus/local-transport.js';
import { MessageBus, type Topic } from './bus/message-bus.js';
import { NatsTransport } from './bus/nats-transport.js';

const notices: readonly ChangeNotice[] = ['audit', 'operations'];
const noticeTopic: Topic<{ notice: ChangeNotice }> = {
  name: 'changes.notice',
  payload: z.object({ notice: z.enum(notices) }),
};

function createBus({ settings, replicaId }: RelayConfig): MessageBus {
  const transport =
    settings.natsUrl === undefined
      ? new LocalTransport(replicaId)
      : new NatsTransport({
          replicaId,
          address: settings.natsUrl,
          purpose: 'control',
          subjectPrefix: settings.natsSubjectPrefix,
          pingIntervalMs: settings.natsPingIntervalMs,
          connectTimeoutMs: settings.natsConnectTimeoutMs,
          pendingLimitBytes: settings.natsPendingLimitBytes,
        });
  return new MessageBus(transport, settings);
}

/** The bus between the relays on one database, and the notices of changes that it carries. */
@Module({
  providers: [{ provide: MessageBus, inject: [RELAY_CONFIG], useFactory: createBus }],
  exports: [MessageBus],
})
export class ReplicasModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly bus: MessageBus,
    private readonly changes: ChangeNotices,
    private readonly readiness: ReadinessRegistry,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  onModuleInit(): void {
    if (this.config.settings.natsUrl === undefined) return;
    // Requests are served by the nodes that are connected here.
    this.readiness.register({
      name: 'bus',
      check: () =>
        Promise.resolve(
          this.bus.status === 'connected'
            ? { status: 'up' }
            : { status: 'degraded', message: 'the other replicas cannot be reached' },
        ),
    });
    this.changes.connect((notice) => {
      this.bus.publish(noticeTopic, { notice });
    });
    this.bus.subscribe(noticeTopic, ({ notice }) => {
      this.changes.receive(notice);
    });
    // Notices that were sent meanwhile are lost.
    this.bus.status$.pipe(filter((status) => status === 'connected')).subscribe(() => {
      for (const notice of notices) this.changes.receive(notice);
    });
  }

  /** After the features have told the other relays that they stop. */
  onApplicationShutdown(): Promise<void> {
    return this.bus.close();
  }
}
