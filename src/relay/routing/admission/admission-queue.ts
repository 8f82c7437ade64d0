import type { AccountId, ModelSelector } from '../../../kernel/ids.js';

/** One request that waits for a slot. */
export interface Waiting {
  readonly accountId: AccountId;
  /** Smaller came earlier. */
  readonly arrival: number;
  /** Tries to start now, and leaves the queue when it does or when it never will. True when it took a slot. */
  tryStart(): boolean;
}

interface Entry {
  readonly waiting: Waiting;
  readonly selector: ModelSelector;
}

/**
 * Who waits for a slot, first come first served, bounded per account and model. Nothing here polls and nothing times out: whoever frees
 * a slot or changes the fleet wakes the queue, and each waiting request watches its own deadline.
 *
 * Every request that could start was tried when the last slot became free, so one freed slot starts at most one of them.
 */
export class AdmissionQueue {
  private readonly accounts = new Map<AccountId, Entry[]>();
  /** How many may start, by account. */
  private readonly pending = new Map<AccountId, number>();
  private waking = false;

  /** @param limit waiting requests per account and model. */
  constructor(private readonly limit: number) {}

  /** False when the line is full. A request that waited before, and was refused by its node, goes back to where it was. */
  join(waiting: Waiting, selector: ModelSelector): boolean {
    if (this.length(waiting.accountId, selector) >= this.limit) return false;
    const line = this.accounts.get(waiting.accountId) ?? [];
    const behind = line.findIndex((entry) => entry.waiting.arrival > waiting.arrival);
    line.splice(behind === -1 ? line.length : behind, 0, { waiting, selector });
    this.accounts.set(waiting.accountId, line);
    return true;
  }

  /** Idempotent. */
  leave(waiting: Waiting): void {
    const line = this.accounts.get(waiting.accountId);
    const index = line?.findIndex((entry) => entry.waiting === waiting) ?? -1;
    if (line === undefined || index === -1) return;
    line.splice(index, 1);
    if (line.length === 0) this.accounts.delete(waiting.accountId);
  }

  length(accountId: AccountId, selector: ModelSelector): number {
    let count = 0;
    for (const entry of this.accounts.get(accountId) ?? []) if (entry.selector === selector) count += 1;
    return count;
  }

  /** A slot of the account became free: one can start. */
  slotFreed(accountId: AccountId): void {
    this.wake(accountId, 1);
  }

  /** A node of the account came, went or changed: try everybody. */
  fleetChanged(accountId: AccountId): void {
    this.wake(accountId, Infinity);
  }

  get size(): number {
    let size = 0;
    for (const line of this.accounts.values()) size += line.length;
    return size;
  }

  /** Starting a request may free another's slot: that comes back here and is worked off by the loop, not by recursion. */
  private wake(accountId: AccountId, slots: number): void {
    if (!this.accounts.has(accountId)) return;
    this.pending.set(accountId, (this.pending.get(accountId) ?? 0) + slots);
    if (this.waking) return;
    this.waking = true;
    try {
      for (const [account, freed] of this.pending) {
        // Taken out before its turn: what is freed during the turn is a new entry, which this loop also reaches.
        this.pending.delete(account);
        this.startWaiting(account, freed);
      }
    } finally {
      this.waking = false;
    }
  }

  private startWaiting(accountId: AccountId, slots: number): void {
    let left = slots;
    for (const { waiting } of [...(this.accounts.get(accountId) ?? [])]) {
      if (waiting.tryStart()) left -= 1;
      if (left === 0) return;
    }
  }
}
