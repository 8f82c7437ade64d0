import { systemClock, type Clock } from '../../../kernel/clock.js';
import type { AccountId, ClusterId, ModelSelector } from '../../../kernel/ids.js';
import { FairQueue, type FreedSlots, type Turns } from './fair-queue.js';
import type { SlotHolder, Waiting } from './waiting.js';

/** `Retry-After` of a rejection because the queue is full. */
const SHORTEST_RETRY_SECONDS = 1;
const LONGEST_RETRY_SECONDS = 60;
/** Trying requests is interrupted for other streams after this time. */
const LONGEST_TURN_MS = 5;
/** A queue younger than this has no meaningful service rate. */
const LEAST_INTERVAL_MS = 100;

/** The models that requests wait for. */
export type AwaitedModels = Pick<FairQueue, 'waitsFor'>;

/**
 * Requests that wait for a slot: fair between the keys of an account, bounded per account and model. It does not poll and has no timers:
 * releasing a slot or a change of the nodes wakes the queue in the same turn of the event loop, and each waiting request owns its deadline.
 *
 * Every request that could start was tried when the previous slot became free, so a free slot starts at most one.
 */
export class AdmissionQueue {
  /** Accounts with waiting requests only; the state of others is dropped. */
  private readonly accounts = new Map<AccountId, FairQueue>();
  /** Slots to offer, by account. */
  private readonly pending = new Map<AccountId, FreedSlots>();
  /** Accounts whose requests are tried in several turns of the event loop; what becomes free meanwhile is offered afterwards. */
  private readonly interrupted = new Set<AccountId>();
  private waking = false;

  /** @param limit waiting requests per account and model. */
  constructor(
    private readonly limit: number,
    private readonly clock: Pick<Clock, 'monotonicMs'> = systemClock,
  ) {}

  /** False when the queue is full. A request that was rejected by its node returns to its old position. */
  join(waiting: Waiting, selector: ModelSelector): boolean {
    const { accountId } = waiting;
    if (this.length(accountId, selector) >= this.limit) return false;
    let queue = this.accounts.get(accountId);
    if (queue === undefined) this.accounts.set(accountId, (queue = new FairQueue()));
    queue.join(waiting, selector, this.clock.monotonicMs());
    return true;
  }

  /** Idempotent. */
  leave(waiting: Waiting): void {
    const queue = this.accounts.get(waiting.accountId);
    queue?.leave(waiting);
    if (queue?.disposable === true) this.accounts.delete(waiting.accountId);
  }

  length(accountId: AccountId, selector: ModelSelector): number {
    return this.accounts.get(accountId)?.length(selector) ?? 0;
  }

  /** Position of a waiting request; the next to start is 1. */
  position(waiting: Waiting, selector: ModelSelector): number {
    return this.accounts.get(waiting.accountId)?.position(waiting, selector) ?? 1;
  }

  /** Estimated time until the present queue is empty, by its service rate since it formed; undefined: the queue is empty. */
  retryAfterSeconds(accountId: AccountId, selector: ModelSelector): number | undefined {
    const intervalMs = this.accounts.get(accountId)?.intervalMs(selector, this.clock.monotonicMs()) ?? null;
    if (intervalMs === null) return undefined;
    const waitMs = Math.max(LEAST_INTERVAL_MS, intervalMs) * this.length(accountId, selector);
    return Math.min(LONGEST_RETRY_SECONDS, Math.max(SHORTEST_RETRY_SECONDS, Math.ceil(waitMs / 1_000)));
  }

  /** A request has released its slot. Does nothing when no request waits. @param startedAtMs monotonic */
  served(holder: SlotHolder, startedAtMs: number): void {
    if (this.accounts.size === 0) return;
    const queue = this.accounts.get(holder.accountId);
    queue?.served(holder, this.clock.monotonicMs() - startedAtMs);
  }

  /** A node of the account connected, disconnected or changed its models: all waiting requests are tried. */
  fleetChanged(accountId: AccountId): void {
    this.wake(accountId, { slots: Infinity, selectors: null });
  }

  /** An engine has free places for its models: at most as many requests for them start. */
  slotsFreed(accountId: AccountId, slots: FreedSlots): void {
    this.wake(accountId, slots);
  }

  hasWaiting(accountId: AccountId): boolean {
    return this.accounts.has(accountId);
  }

  /** Returns the models that the waiting requests of the cluster need; undefined: none waits. */
  awaitedIn(accountId: AccountId, cluster: ClusterId): AwaitedModels | undefined {
    const queue = this.accounts.get(accountId);
    return queue?.waitsIn(cluster) === true ? queue : undefined;
  }

  get size(): number {
    let size = 0;
    for (const queue of this.accounts.values()) size += queue.size;
    return size;
  }

  private wake(accountId: AccountId, slots: FreedSlots): void {
    if (!this.accounts.has(accountId)) return;
    this.pending.set(accountId, mergeSlots(this.pending.get(accountId), slots));
    this.offer();
  }

  /** Starting a request may release another slot: the loop handles it, not recursion. */
  private offer(): void {
    if (this.waking) return;
    this.waking = true;
    try {
      for (const [account, slots] of this.pending) {
        if (this.interrupted.has(account)) continue;
        // Removed before its turn: a slot released meanwhile is a new entry, which this loop also reaches.
        this.pending.delete(account);
        const queue = this.accounts.get(account);
        if (queue !== undefined) this.start(account, queue, queue.turns(slots));
      }
    } finally {
      this.waking = false;
    }
  }

  /** A queue is kept while its requests are tried: one that is rejected at once must find it again with the charges of its keys. */
  private start(accountId: AccountId, queue: FairQueue, turns: Turns): void {
    const untilMs = this.clock.monotonicMs() + LONGEST_TURN_MS;
    try {
      if (!queue.start(turns, () => this.clock.monotonicMs() >= untilMs)) this.continueLater(accountId, queue, turns);
    } finally {
      if (queue.disposable) this.accounts.delete(accountId);
    }
  }

  private continueLater(accountId: AccountId, queue: FairQueue, turns: Turns): void {
    this.interrupted.add(accountId);
    setImmediate(() => {
      this.interrupted.delete(accountId);
      this.waking = true;
      try {
        if (this.accounts.get(accountId) === queue) this.start(accountId, queue, turns);
      } finally {
        this.waking = false;
      }
      this.offer();
    });
  }
}

function mergeSlots(before: FreedSlots | undefined, offer: FreedSlots): FreedSlots {
  if (before === undefined) return offer;
  const { slots, selectors, cluster, node } = offer;
  const union = before.selectors === null || selectors === null ? null : new Set([...before.selectors, ...selectors]);
  return {
    slots: before.slots + slots,
    selectors: union,
    ...(cluster !== undefined && cluster === before.cluster && { cluster }),
    ...(node !== undefined && node === before.node && { node }),
  };
}

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
