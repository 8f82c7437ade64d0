import { Inject, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { filter } from 'rxjs';
import { z } from 'zod';
import { ChangeNotices, type ChangeNotice } from '../platform/changes/change-notices.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ReadinessRegistry } from '../platform/lifecycle/readiness-registry.js';
import { BusRejections } from './bus/bus-rejections.js';
import { createTransport } from './bus/create-transport.js';
import { MessageBus, type Topic } from './bus/message-bus.js';

const notices: readonly ChangeNotice[] = ['audit', 'operations'];
const noticeTopic: Topic<{ notice: ChangeNotice }> = {
  name: 'changes.notice',
  payload: z.object({ notice: z.enum(notices) }),
};

const createBus = (config: RelayConfig, rejections: BusRejections): MessageBus => {
  const { settings } = config;
  return new MessageBus(createTransport(config, 'control', settings.natsPendingLimitBytes, rejections), settings);
};

/** The bus between the relays on one database, and the notices of changes that it carries. */
@Module({
  providers: [BusRejections, { provide: MessageBus, inject: [RELAY_CONFIG, BusRejections], useFactory: createBus }],
  exports: [BusRejections, MessageBus],
})
export class ReplicasModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly bus: MessageBus,
    private readonly changes: ChangeNotices,
    private readonly readiness: ReadinessRegistry,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  onModuleInit(): void {
    if (!this.config.replicated) return;
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
