import type { AccountId } from '../../../kernel/ids.js';
import { LruMap } from '../../../kernel/lru-map.js';
import type { ObservedRequest } from './routed-request.js';

/** The budget counts hundredths of a hedge. */
const ONE_HEDGE = 100;
/** Burst limit: hedges that an account can save up. */
const MOST_SAVED = 10 * ONE_HEDGE;
const REMEMBERED_ACCOUNTS = 10_000;

/**
 * Hedge budget of each account: every request earns a fraction of a hedge, so hedges never exceed that fraction of all requests over any
 * period. Integers keep the fraction exact. An evicted account starts again with nothing.
 */
export class HedgeBudget {
  private readonly saved: LruMap<AccountId, number>;

  /** @param percent hedges per hundred requests */
  constructor(
    private readonly percent: number,
    accounts = REMEMBERED_ACCOUNTS,
  ) {
    this.saved = new LruMap(accounts);
  }

  /** A request of the account was dispatched. */
  earn(accountId: AccountId): void {
    this.saved.set(accountId, Math.min(MOST_SAVED, this.savedBy(accountId) + this.percent));
  }

  has(accountId: AccountId): boolean {
    return this.savedBy(accountId) >= ONE_HEDGE;
  }

  /** Only when it {@link has}. */
  take(accountId: AccountId): void {
    this.saved.set(accountId, this.savedBy(accountId) - ONE_HEDGE);
  }

  /** The node rejected the hedge: returns it to the budget. */
  giveBack(accountId: AccountId): void {
    this.saved.set(accountId, Math.min(MOST_SAVED, this.savedBy(accountId) + ONE_HEDGE));
  }

  private savedBy(accountId: AccountId): number {
    return this.saved.get(accountId) ?? 0;
  }
}

/** The hedging state that the requests of one relay share. Absent when hedging is off, so that it costs nothing then. */
export interface Hedging {
  readonly budget: HedgeBudget;
  /** Lower bound of the delay before a hedge. */
  readonly afterMs: number;
  /** Milliseconds until the first event is later than the p95 of its node; null: unknown. */
  readonly lateInMs: (request: ObservedRequest) => number | null;
}
