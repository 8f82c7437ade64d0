import { systemClock, type Clock } from '../../../kernel/clock.js';
import type { AccountId, ModelSelector } from '../../../kernel/ids.js';
import { FairQueue } from './fair-queue.js';
import type { SlotHolder, Waiting } from './waiting.js';

/** What a client is told that should come back when there is room. */
const SHORTEST_RETRY_SECONDS = 1;
const LONGEST_RETRY_SECONDS = 60;
/** A line that has only just formed says little about how it moves. */
const LEAST_INTERVAL_MS = 100;

/**
 * Who waits for a slot, fairly between the keys of an account, bounded per account and model. Nothing here polls and nothing times out:
 * whoever frees a slot or changes the fleet wakes the queue, in the same turn of the event loop, and each waiting request watches its own
 * deadline.
 *
 * Every request that could start was tried when the last slot became free, so one freed slot starts at most one of them.
 */
export class AdmissionQueue {
  /** Only accounts of which somebody waits: all that is known of the others is forgotten. */
  private readonly accounts = new Map<AccountId, FairQueue>();
  /** How many may start, by account. */
  private readonly pending = new Map<AccountId, number>();
  private waking = false;

  /** @param limit waiting requests per account and model. */
  constructor(
    private readonly limit: number,
    private readonly clock: Pick<Clock, 'monotonicMs'> = systemClock,
  ) {}

  /** False when the line is full. A request that waited before, and was refused by its node, goes back to where it was. */
  join(waiting: Waiting, selector: ModelSelector): boolean {
    const { accountId } = waiting;
    if (this.length(accountId, selector) >= this.limit) return false;
    let line = this.accounts.get(accountId);
    if (line === undefined) this.accounts.set(accountId, (line = new FairQueue()));
    line.join(waiting, selector, this.clock.monotonicMs());
    return true;
  }

  /** Idempotent. */
  leave(waiting: Waiting): void {
    const line = this.accounts.get(waiting.accountId);
    line?.leave(waiting);
    if (line?.disposable === true) this.accounts.delete(waiting.accountId);
  }

  length(accountId: AccountId, selector: ModelSelector): number {
    return this.accounts.get(accountId)?.length(selector) ?? 0;
  }

  /** Of one that waits; the next is 1. */
  position(waiting: Waiting, selector: ModelSelector): number {
    return this.accounts.get(waiting.accountId)?.position(waiting, selector) ?? 1;
  }

  /** When the line that stands now will be through, by how fast it has moved since it formed; undefined: there is no line. */
  retryAfterSeconds(accountId: AccountId, selector: ModelSelector): number | undefined {
    const intervalMs = this.accounts.get(accountId)?.intervalMs(selector, this.clock.monotonicMs()) ?? null;
    if (intervalMs === null) return undefined;
    const waitMs = Math.max(LEAST_INTERVAL_MS, intervalMs) * this.length(accountId, selector);
    return Math.min(LONGEST_RETRY_SECONDS, Math.max(SHORTEST_RETRY_SECONDS, Math.ceil(waitMs / 1_000)));
  }

  /** A request has left its slot. Nothing is done where nobody waits. @param startedAtMs monotonic */
  served(holder: SlotHolder, startedAtMs: number): void {
    if (this.accounts.size === 0) return;
    const line = this.accounts.get(holder.accountId);
    line?.served(holder, this.clock.monotonicMs() - startedAtMs);
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
    for (const line of this.accounts.values()) size += line.size;
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
        this.start(account, freed);
      }
    } finally {
      this.waking = false;
    }
  }

  /** A line stays as long as its requests are tried: one that is refused at once must find it again, with what its keys were charged. */
  private start(accountId: AccountId, slots: number): void {
    const line = this.accounts.get(accountId);
    try {
      line?.start(slots);
    } finally {
      if (line?.disposable === true) this.accounts.delete(accountId);
    }
  }
}
