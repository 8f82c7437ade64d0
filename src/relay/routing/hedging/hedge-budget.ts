import type { AccountId } from '../../../kernel/ids.js';
import { LruMap } from '../../../kernel/lru-map.js';

/** In hundredths of a second try. */
const SECOND_TRY = 100;
/** A quiet hour must not pay for a storm: an account saves up at most so many second tries. */
const MOST_SAVED = 10 * SECOND_TRY;
const REMEMBERED_ACCOUNTS = 10_000;

/**
 * How many second tries an account may have: each request earns its share of one, so there are never more than that share of them, over
 * any time. Whole numbers, so that the share is exact. Beyond the accounts that are remembered one begins anew, with nothing.
 */
export class HedgeBudget {
  private readonly saved: LruMap<AccountId, number>;

  /** @param percent second tries per hundred requests */
  constructor(
    private readonly percent: number,
    accounts = REMEMBERED_ACCOUNTS,
  ) {
    this.saved = new LruMap(accounts);
  }

  /** A request of the account was given to a node. */
  earn(accountId: AccountId): void {
    this.saved.set(accountId, Math.min(MOST_SAVED, this.savedBy(accountId) + this.percent));
  }

  has(accountId: AccountId): boolean {
    return this.savedBy(accountId) >= SECOND_TRY;
  }

  /** Only when it {@link has}. */
  take(accountId: AccountId): void {
    this.saved.set(accountId, this.savedBy(accountId) - SECOND_TRY);
  }

  /** The node refused: nothing was run. */
  giveBack(accountId: AccountId): void {
    this.saved.set(accountId, Math.min(MOST_SAVED, this.savedBy(accountId) + SECOND_TRY));
  }

  private savedBy(accountId: AccountId): number {
    return this.saved.get(accountId) ?? 0;
  }
}
