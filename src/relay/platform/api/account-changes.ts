import { Injectable } from '@nestjs/common';
import type { AccountId } from '../../../kernel/ids.js';

/** These are the topics of `GET /api/events`. */
export const changeTopics = [
  'account',
  'audit',
  'clusters',
  'invites',
  'join-tokens',
  'keys',
  'models',
  'nodes',
  'operations',
  'requests',
  'sessions',
  'usage',
  'users',
] as const;
export type ChangeTopic = (typeof changeTopics)[number];

/** Called synchronously, after the change. Must not throw. */
export type ChangeListener = (topic: ChangeTopic) => void;

/**
 * Tells open event feeds that something of an account changed, not what: feeds are above the features that publish here. For an account
 * without a feed a publication is one look-up and allocates nothing.
 */
@Injectable()
export class AccountChanges {
  private readonly listeners = new Map<AccountId, Set<ChangeListener>>();

  /** @returns ends the subscription */
  listen(accountId: AccountId, listener: ChangeListener): () => void {
    const ofAccount = this.listeners.get(accountId) ?? new Set<ChangeListener>();
    this.listeners.set(accountId, ofAccount.add(listener));
    return () => {
      ofAccount.delete(listener);
      if (ofAccount.size === 0 && this.listeners.get(accountId) === ofAccount) this.listeners.delete(accountId);
    };
  }

  /** Whether a publication reaches anyone. */
  watched(accountId: AccountId): boolean {
    return this.listeners.has(accountId);
  }

  publish(accountId: AccountId, topic: ChangeTopic): void {
    const ofAccount = this.listeners.get(accountId);
    if (ofAccount === undefined) return;
    for (const listener of ofAccount) listener(topic);
  }
}
