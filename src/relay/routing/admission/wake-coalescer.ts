import type { AccountId } from '../../../kernel/ids.js';

/**
 * Wakes who waits, once per account and turn: a node that connects changes several times in one turn, and whoever else listens to the
 * fleet (the inventory) must have heard of it first.
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
