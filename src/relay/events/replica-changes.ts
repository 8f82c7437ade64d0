import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { filter } from 'rxjs';
import { z } from 'zod';
import { systemClock } from '../../kernel/clock.js';
import type { AccountId } from '../../kernel/ids.js';
import { AccountChanges, changeTopics, type ChangeTopic } from '../platform/api/account-changes.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { MessageBus, type Topic } from '../replicas/bus/message-bus.js';
import { PendingChanges } from './pending-changes.js';

/** Per message. */
const MAX_ACCOUNTS = 1_000;
const accountId = z.custom<AccountId>((value) => typeof value === 'string' && value.length < 100);

const watchedTopic: Topic<{ accounts: AccountId[] }> = {
  name: 'feeds.watched',
  payload: z.object({ accounts: z.array(accountId).max(MAX_ACCOUNTS) }),
};
const changedTopic: Topic<{ changed: [AccountId, ChangeTopic[]][] }> = {
  name: 'feeds.changed',
  payload: z.object({
    changed: z.array(z.tuple([accountId, z.array(z.enum(changeTopics))])).max(MAX_ACCOUNTS),
  }),
};

const REPEAT_MS = 5_000;
/** After three repetitions that were lost. */
const VALID_MS = 16_000;
const COALESCE_MS = 250;
/** These change without a trace in the database. The polls of each relay find all else. */
const untraced: readonly ChangeTopic[] = ['models', 'nodes', 'requests', 'usage'];

/**
 * Changes at other replicas, for the open feeds of this one. A replica names the accounts whose feeds it has, and the others tell it what
 * changes in these accounts, at most four times a second.
 */
@Injectable()
export class ReplicaChanges implements OnModuleInit, BeforeApplicationShutdown {
  private readonly active: boolean;
  /** Accounts with feeds here. */
  private readonly watched = new Set<AccountId>();
  private readonly pendingChanges: PendingChanges;
  private repeats: NodeJS.Timeout | undefined;
  private sending: NodeJS.Timeout | undefined;
  /** A change of another replica is published here, and must not be told again. */
  private applying = false;

  constructor(
    private readonly bus: MessageBus,
    private readonly changes: AccountChanges,
    @Inject(RELAY_CONFIG) { replicated }: RelayConfig,
  ) {
    this.active = replicated;
    this.pendingChanges = new PendingChanges(changes, systemClock, () => {
      if (!this.applying) this.sending ??= setTimeout(this.sendChanges, COALESCE_MS).unref();
      return !this.applying;
    });
  }

  onModuleInit(): void {
    if (!this.active) return;
    const { bus } = this;
    bus.subscribe(watchedTopic, ({ accounts }) => {
      for (const account of accounts) this.pendingChanges.watch(account, VALID_MS);
    });
    bus.subscribe(changedTopic, ({ changed }) => {
      for (const [account, topics] of changed) if (this.watched.has(account)) this.publish(account, topics);
    });
    // Notices that were sent while the bus was disconnected are lost.
    bus.status$.pipe(filter((status) => status === 'connected')).subscribe(() => {
      this.repeat();
      for (const account of this.watched) this.publish(account, untraced);
    });
    this.repeats = setInterval(() => {
      this.repeat();
      this.pendingChanges.expire();
    }, REPEAT_MS).unref();
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.repeats);
    clearTimeout(this.sending);
  }

  /** The account has a feed here. @returns to be called when it has none any more */
  watch(account: AccountId): () => void {
    if (!this.active) return () => undefined;
    this.watched.add(account);
    this.bus.publish(watchedTopic, { accounts: [account] });
    return () => this.watched.delete(account);
  }

  private repeat(): void {
    const accounts = [...this.watched];
    for (let from = 0; from < accounts.length; from += MAX_ACCOUNTS)
      this.bus.publish(watchedTopic, { accounts: accounts.slice(from, from + MAX_ACCOUNTS) });
  }

  private readonly sendChanges = (): void => {
    this.sending = undefined;
    const changed = this.pendingChanges.take();
    for (let from = 0; from < changed.length; from += MAX_ACCOUNTS)
      this.bus.publish(changedTopic, { changed: changed.slice(from, from + MAX_ACCOUNTS) });
  };

  private publish(account: AccountId, topics: readonly ChangeTopic[]): void {
    this.applying = true;
    for (const topic of topics) this.changes.publish(account, topic);
    this.applying = false;
  }
}
