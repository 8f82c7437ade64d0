import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import type { AccountId } from '../../../../kernel/ids.js';

export interface BodyBudgetLimits {
  readonly totalBytes: number;
  readonly perAccountBytes: number;
}

/** Share of the budget held by one request. */
export interface BodyReservation {
  /** @throws FerryError `overloaded` (the relay is full) or `rate_limit_exceeded` (the account is) */
  grow(bytes: number): void;
  /** Idempotent. */
  readonly release: () => void;
}

/** Bytes of all request bodies held in memory at once, by this relay and by one account (docs/reference/limits.md#bodies-and-timeouts). */
export class BodyBudget {
  private total = 0;
  /** Only accounts that hold something have an entry. */
  private readonly byAccount = new Map<AccountId, number>();

  constructor(private readonly limits: BodyBudgetLimits) {}

  get heldBytes(): number {
    return this.total;
  }

  /** Bodies without an account (unauthenticated routes) only count against the whole. */
  open(account: AccountId | undefined): BodyReservation {
    let held = 0;
    let released = false;
    return {
      grow: (bytes) => {
        if (released) return;
        this.take(account, bytes);
        held += bytes;
      },
      release: () => {
        if (released) return;
        released = true;
        this.give(account, held);
      },
    };
  }

  private take(account: AccountId | undefined, bytes: number): void {
    if (this.total + bytes > this.limits.totalBytes) {
      throw new FerryError(
        'overloaded',
        'The relay has reached its memory limit for request bodies. Retry in a moment.',
      );
    }
    if (account !== undefined) {
      const held = (this.byAccount.get(account) ?? 0) + bytes;
      if (held > this.limits.perAccountBytes) {
        throw new FerryError(
          'rate_limit_exceeded',
          'This account has reached its memory limit for request bodies. Retry when some of its requests have completed.',
        );
      }
      this.byAccount.set(account, held);
    }
    this.total += bytes;
  }

  private give(account: AccountId | undefined, bytes: number): void {
    this.total -= bytes;
    if (account === undefined) return;
    const left = (this.byAccount.get(account) ?? 0) - bytes;
    if (left > 0) this.byAccount.set(account, left);
    else this.byAccount.delete(account);
  }
}
