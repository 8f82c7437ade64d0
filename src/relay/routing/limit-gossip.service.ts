import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { filter, firstValueFrom, race, timer } from 'rxjs';
import { z } from 'zod';
import { systemClock } from '../../kernel/clock.js';
import { ConcurrencyQueries } from '../platform/limits/concurrency-queries.js';
import { LimitGossip, SUBJECTS_PER_MESSAGE, type SubjectUse } from '../platform/limits/limit-gossip.js';
import { RateLimits } from '../platform/limits/rate-limits.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import type { PresenceTable } from '../replicas/presence/presence-table.js';
import { MessageBus, type Topic } from '../replicas/bus/message-bus.js';

/** No rate has a longer debt: an hour. */
const debtMs = z.number().min(-3_600_000).max(3_600_000);
type Entry = [name: string, requestsDebtMs: number, tokensDebtMs: number, running: number];
const number = z.number().int().min(0);
const entries = z
  .array(z.tuple([z.string().regex(/^(key|account):[0-9A-Za-z_-]{1,80}$/), debtMs, debtMs, number]))
  .max(SUBJECTS_PER_MESSAGE);
/** With `question`, the same of their running requests is expected in an `answer` with this number. */
const useTopic: Topic<{ parties: Entry[]; question?: number | undefined; answer?: number | undefined }> = {
  name: 'limits.use',
  payload: z.object({
    parties: entries,
    question: number.optional(),
    answer: number.optional(),
  }),
};

/** Sent by a replica that starts, to all others. */
const debtsRequestTopic: Topic<Record<string, never>> = { name: 'limits.debts-wanted', payload: z.object({}).strict() };
/** Sends the debts of keys and accounts to a replica that starts. */
const debtsTopic: Topic<{ parties: Entry[] }> = {
  name: 'limits.debts',
  payload: z.object({
    parties: entries,
  }),
};
/** Longest that a start waits for the bus, and then for a first response: without others there is none. */
const BUS_WITHIN_MS = 1_000;
const DEBTS_WITHIN_MS = 300;

export const createConcurrencyQueries = (
  bus: MessageBus,
  table: PresenceTable,
  { settings }: RelayConfig,
): ConcurrencyQueries =>
  new ConcurrencyQueries({
    others: () => (bus.status === 'connected' ? table.servingIds : []),
    send: (subject, query) => {
      const subjects = [entryOf({ name: subject.name, ...subject.shareRunning('question') })];
      return bus.publish(useTopic, { parties: subjects, question: query });
    },
    timeoutMs: settings.limitQuestionTimeoutMs,
  });

/**
 * Tells the other replicas of the use of keys and accounts with limits: once a second, and at once where much was used. Asks them where a
 * limit of running requests is nearly reached.
 */
@Injectable()
export class LimitGossipService implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private gossip: LimitGossip | undefined;
  private regular: NodeJS.Timeout | undefined;
  private urgent: NodeJS.Timeout | undefined;
  private sentAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly rates: RateLimits,
    private readonly queries: ConcurrencyQueries,
    private readonly bus: MessageBus,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  onModuleInit(): void {
    const { replicated, settings } = this.config;
    if (!replicated) return;
    const gossip = new LimitGossip({
      rates: this.rates,
      clock: systemClock,
      intervalMs: settings.limitGossipIntervalMs,
      onUrgent: () => {
        this.sendSoon();
      },
    });
    this.gossip = gossip;
    const { queries } = this;
    this.bus.subscribe(useTopic, ({ parties: subjects, question: query, answer }, from) => {
      gossip.apply(from, subjects.map(useOf));
      queries.onMessage(from);
      if (answer !== undefined) queries.answered(from, answer);
      if (query === undefined) return;
      const running = gossip.runningOf(subjects.map(([name]) => name));
      this.bus.publish(useTopic, { parties: running.map(entryOf), answer: query }, from);
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.gossip === undefined) return;
    await this.readDebts(this.gossip);
    this.regular = setInterval(() => {
      this.send();
    }, this.config.settings.limitGossipIntervalMs).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.regular);
    this.send();
  }

  /**
   * Before requests are served: what keys and accounts have used at the others lately. A response that is late counts when it comes. Where the
   * bus is down, they have a fresh minute here.
   */
  private async readDebts(gossip: LimitGossip): Promise<void> {
    let responded: () => void = () => undefined;
    const firstResponse = new Promise<void>((resolve) => (responded = resolve));
    this.bus.subscribe(debtsTopic, ({ parties: subjects }) => {
      gossip.inherit(subjects.map(useOf));
      responded();
    });
    this.bus.subscribe(debtsRequestTopic, (_wanted, from) => {
      for (const message of gossip.debts()) this.bus.publish(debtsTopic, { parties: message.map(entryOf) }, from);
    });
    const connected = this.bus.status$.pipe(filter((status) => status === 'connected'));
    await firstValueFrom(race(connected, timer(BUS_WITHIN_MS)), { defaultValue: null });
    if (!this.bus.publish(debtsRequestTopic, {})) return;
    await firstValueFrom(race(firstResponse, timer(DEBTS_WITHIN_MS)));
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

const entryOf = ({ name, requestsDebtMs, tokensDebtMs, running }: SubjectUse): Entry => [
  name,
  bounded(requestsDebtMs),
  bounded(tokensDebtMs),
  running,
];

const useOf = ([name, requestsDebtMs, tokensDebtMs, running]: Entry): SubjectUse => ({
  name,
  requestsDebtMs,
  tokensDebtMs,
  running,
});

/** To microseconds, as the rates are rounded. */
const bounded = (ms: number): number => Math.round(Math.max(-3_600_000, Math.min(3_600_000, ms)) * 1_000) / 1_000;
