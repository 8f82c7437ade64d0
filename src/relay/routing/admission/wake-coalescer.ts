import type { AccountId } from '../../../kernel/ids.js';

/**
 * Coalesces wake-ups to one per account and turn of the event loop: a node that connects changes several times in one turn, and the other
 * listeners (the inventory) must be up to date first.
 */
export class WakeCoalescer {
  private readonly changed = new Set<AccountId>();

  constructor(private readonly wake: (accountId: AccountId) => void) {}

  fleetChanged(accountId: AccountId): void {
    this.changed.add(accountId);
    if (this.changed.size > 1) return;
    queueMicrotask(() => {
      const accounts = [...this.changed];
      this.changed.clear();
      for (const account of accounts) this.wake(account);
    });
  }
}
