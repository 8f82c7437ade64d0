import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { AccountId } from '../../kernel/ids.js';
import type { OperationView } from './operation.js';

export interface FeedSubscriber {
  /** Synchronously, after the change. Must not throw. */
  next(operation: OperationView): void;
  /** Ends the feed. */
  end(error: FerryError): void;
}

/** Publishes changes of operations to subscribers, without replay. */
export class OperationFeed {
  private readonly subscribers = new Map<AccountId, Set<FeedSubscriber>>();
  private over = false;

  constructor(private readonly limitPerAccount: number) {}

  /**
   * @returns ends the subscription
   * @throws FerryError `rate_limit_exceeded` (limit of the account), `draining`
   */
  subscribe(accountId: AccountId, subscriber: FeedSubscriber): () => void {
    if (this.over) throw new FerryError('draining');
    const ofAccount = this.subscribers.get(accountId) ?? new Set();
    if (ofAccount.size >= this.limitPerAccount) {
      throw new FerryError('rate_limit_exceeded', `This account already has ${ofAccount.size} open operation feeds.`);
    }
    this.subscribers.set(accountId, ofAccount.add(subscriber));
    return () => {
      ofAccount.delete(subscriber);
      if (ofAccount.size === 0 && this.subscribers.get(accountId) === ofAccount) this.subscribers.delete(accountId);
    };
  }

  /** Accounts with subscribers. */
  get watchedAccounts(): readonly AccountId[] {
    return [...this.subscribers.keys()];
  }

  /** True when the account has subscribers. */
  watched(accountId: AccountId): boolean {
    return this.subscribers.has(accountId);
  }

  publish(accountId: AccountId, operation: OperationView): void {
    for (const subscriber of [...(this.subscribers.get(accountId) ?? [])]) subscriber.next(operation);
  }

  /** The relay stops: every feed ends with `draining`. */
  end(): void {
    this.over = true;
    for (const ofAccount of [...this.subscribers.values()]) {
      for (const subscriber of [...ofAccount]) subscriber.end(new FerryError('draining'));
    }
  }
}
