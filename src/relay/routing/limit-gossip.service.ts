import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { z } from 'zod';
import { systemClock } from '../../kernel/clock.js';
import { LimitGossip, PARTIES_PER_MESSAGE, type PartyUse } from '../limits/limit-gossip.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { MessageBus, type Topic } from '../replicas/bus/message-bus.js';
import { RoutingService } from './routing.service.js';

/** No rate has a longer debt: an hour. */
const debtMs = z.number().min(-3_600_000).max(3_600_000);
type Entry = [name: string, requestsDebtMs: number, tokensDebtMs: number, running: number];
const useTopic: Topic<{ parties: Entry[] }> = {
  name: 'limits.use',
  payload: z.object({
    parties: z
      .array(
        z.tuple([z.string().regex(/^(key|account):[0-9A-Za-z_-]{1,80}$/), debtMs, debtMs, z.number().int().min(0)]),
      )
      .max(PARTIES_PER_MESSAGE),
  }),
};

/** Tells the other replicas of the use of keys and accounts with limits: once a second, and at once where much was used. */
@Injectable()
export class LimitGossipService implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private gossip: LimitGossip | undefined;
  private regular: NodeJS.Timeout | undefined;
  private urgent: NodeJS.Timeout | undefined;
  private sentAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly routing: RoutingService,
    private readonly bus: MessageBus,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  onModuleInit(): void {
    const { natsUrl, limitGossipIntervalMs: intervalMs } = this.config.settings;
    if (natsUrl === undefined) return;
    const gossip = new LimitGossip({
      rates: this.routing.rateLimits,
      clock: systemClock,
      intervalMs,
      onUrgent: () => {
        this.sendSoon();
      },
    });
    this.gossip = gossip;
    this.bus.subscribe(useTopic, ({ parties }, from) => {
      gossip.apply(from, parties.map(useOf));
    });
  }

  onApplicationBootstrap(): void {
    if (this.gossip === undefined) return;
    this.regular = setInterval(() => {
      this.send();
    }, this.config.settings.limitGossipIntervalMs).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.regular);
    this.send();
  }

  /** After the current turn, and not more often than the setting allows. */
  private sendSoon(): void {
    if (this.urgent !== undefined) return;
    const dueMs = this.sentAtMs + this.config.settings.limitGossipLeastIntervalMs - systemClock.monotonicMs();
    this.urgent = setTimeout(
      () => {
        this.send();
      },
      Math.max(0, dueMs),
    ).unref();
  }

  /** While the bus is down, limits hold per replica. */
  private send(): void {
    clearTimeout(this.urgent);
    this.urgent = undefined;
    this.sentAtMs = systemClock.monotonicMs();
    for (const message of this.gossip?.collect() ?? []) this.bus.publish(useTopic, { parties: message.map(entryOf) });
  }
}

const entryOf = ({ name, requestsDebtMs, tokensDebtMs, running }: PartyUse): Entry => [
  name,
  bounded(requestsDebtMs),
  bounded(tokensDebtMs),
  running,
];

const useOf = ([name, requestsDebtMs, tokensDebtMs, running]: Entry): PartyUse => ({
  name,
  requestsDebtMs,
  tokensDebtMs,
  running,
});

/** To microseconds, as the rates are rounded. */
const bounded = (ms: number): number => Math.round(Math.max(-3_600_000, Math.min(3_600_000, ms)) * 1_000) / 1_000;
