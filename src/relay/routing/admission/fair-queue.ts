import type { ClusterId, ModelSelector } from '../../../kernel/ids.js';
import { inScope } from '../../inventory/cluster-scope.js';
import type { ModelHost, SlotHolder, Waiting } from './waiting.js';
import { bringCachedForward, type OvertakenEntry } from './warm-first.js';
import { WaitingClusters } from './waiting-clusters.js';

type Entry = OvertakenEntry;

/** Waiting requests of one API key, oldest first. */
interface KeyQueue {
  readonly entries: Entry[];
  /** Virtual time of the key: slot time used, in milliseconds, relative to the other waiting keys. */
  virtualMs: number;
}

/** Service rate of the queue for one model. */
interface Flow {
  waiting: number;
  readonly formedAtMs: number;
  started: number;
}

/** Places that became free. */
export interface FreedSlots {
  readonly slots: number;
  /** The queues whose requests may use them; null: all. */
  readonly selectors: ReadonlySet<ModelSelector> | null;
  /** The cluster of their node: requests of other clusters cannot use them. Absent: several. */
  readonly cluster?: ClusterId;
  /** Where they are. Absent: at several nodes. */
  readonly node?: ModelHost;
}

/** Charged at the start of a request until a mean service time is known. */
const UNKNOWN_SERVICE_MS = 1_000;
/** Weight of the newest service time in the mean. */
const MEAN_SHARE = 0.2;
/** Idle keys whose virtual time is remembered. */
const MAX_IDLE_KEYS = 1_000;

/**
 * The waiting requests of one account, with fair queueing by slot time: the key with the least slot time goes next, and within a key the
 * oldest request, or one of the next whose prompt the node has in memory. A request is charged the mean when it starts and its real duration
 * when it ends, so long responses cost more than short ones, and a key that floods the queue only delays itself.
 */
export class FairQueue {
  private readonly keys = new Map<string, KeyQueue>();
  private readonly flows = new Map<ModelSelector, Flow>();
  private readonly clusters = new WaitingClusters();
  private readonly charged = new Map<SlotHolder, number>();
  private meanServiceMs = UNKNOWN_SERVICE_MS;
  /** Virtual time of the key served last: a key that starts to wait begins here, without credit or debt. */
  private virtualMs = 0;
  /** Entries are being tried; one that is rejected at once re-enters meanwhile. */
  private trying = false;

  /** No request waits and no entry is being tried: the state of the keys may be dropped. */
  get disposable(): boolean {
    return this.flows.size === 0 && !this.trying;
  }

  get size(): number {
    let size = 0;
    for (const { waiting } of this.flows.values()) size += waiting;
    return size;
  }

  /** Whether a request waits that nodes of the cluster may serve, whatever its model is. */
  waitsIn(cluster: ClusterId): boolean {
    return this.clusters.has(cluster);
  }

  /** Whether a request waits in the queue of the model. */
  waitsFor(selector: ModelSelector): boolean {
    return this.flows.has(selector);
  }

  length(selector: ModelSelector): number {
    return this.flows.get(selector)?.waiting ?? 0;
  }

  /** A request that was rejected by its node returns to its old position. */
  join(waiting: Waiting, selector: ModelSelector, nowMs: number): void {
    const key = this.keyQueue(waiting);
    const behind = key.entries.findIndex((entry) => entry.waiting.arrival > waiting.arrival);
    if (key.entries.length === 0) key.virtualMs = Math.max(key.virtualMs, this.virtualMs);
    key.entries.splice(behind === -1 ? key.entries.length : behind, 0, { waiting, selector, overtaken: 0 });
    this.clusters.add(waiting.scope ?? null);
    const flow = this.flows.get(selector);
    if (flow === undefined) this.flows.set(selector, { waiting: 1, formedAtMs: nowMs, started: 0 });
    else flow.waiting += 1;
  }

  /** Idempotent. */
  leave(waiting: Waiting): void {
    const key = this.keys.get(keyOf(waiting));
    const index = key?.entries.findIndex((entry) => entry.waiting === waiting) ?? -1;
    if (key === undefined || index === -1) return;
    const [entry] = key.entries.splice(index, 1);
    this.clusters.remove(waiting.scope ?? null);
    const flow = entry === undefined ? undefined : this.flows.get(entry.selector);
    if (entry === undefined || flow === undefined) return;
    flow.waiting -= 1;
    if (flow.waiting === 0) this.flows.delete(entry.selector);
  }

  /** The requests that may use the places, to be tried by {@link start}. */
  turns({ slots, selectors, cluster, node }: FreedSlots): Turns {
    const wanted = ({ selector, waiting: { scope = null } }: Entry): boolean =>
      (selectors === null || selectors.has(selector)) && (cluster === undefined || inScope(scope, cluster));
    return {
      left: slots,
      node,
      keys: [...this.keys.values()].map((key) => ({ key, untried: key.entries.filter(wanted), next: 0 })),
    };
  }

  /**
   * Tries the requests in order, each at most once, until as many have started as there are places.
   * @returns false when it was interrupted: to be called again with the same turns
   */
  start(turns: Turns, mustPause: () => boolean): boolean {
    this.trying = true;
    try {
      return this.tryInTurn(turns, mustPause);
    } finally {
      this.trying = false;
    }
  }

  private tryInTurn(turns: Turns, mustPause: () => boolean): boolean {
    while (turns.left > 0) {
      let first: Turn | undefined;
      for (const turn of turns.keys) {
        if (turn.next < turn.untried.length && (first === undefined || comesBefore(turn, first))) first = turn;
      }
      if (first !== undefined && turns.node !== undefined) bringCachedForward(first.untried, first.next, turns.node);
      const entry = first?.untried[first.next];
      if (first === undefined || entry === undefined) return true;
      first.next += 1;
      // After an interruption the key may have been forgotten: its requests have left, and those that came since tried for themselves.
      if (this.keys.get(keyOf(entry.waiting)) === first.key && this.tryEntry(first.key, entry)) turns.left -= 1;
      if (mustPause()) return false;
    }
    return true;
  }

  /** A request of the account has released its slot. */
  served(holder: SlotHolder, serviceMs: number): void {
    const chargedMs = this.charged.get(holder) ?? 0;
    this.charged.delete(holder);
    this.meanServiceMs += (serviceMs - this.meanServiceMs) * MEAN_SHARE;
    const key = this.keys.get(keyOf(holder));
    if (key !== undefined) key.virtualMs += serviceMs - chargedMs;
  }

  /**
   * The next to start is 1. Estimated by the turns of the keys: behind the older requests of its own key, and as many of each other key.
   */
  position(waiting: Waiting, selector: ModelSelector): number {
    const own = this.keys.get(keyOf(waiting))?.entries ?? [];
    const ahead = own.filter((entry) => entry.selector === selector && entry.waiting.arrival < waiting.arrival).length;
    let position = ahead + 1;
    for (const [name, { entries }] of this.keys) {
      if (name === keyOf(waiting)) continue;
      position += Math.min(ahead + 1, entries.filter((entry) => entry.selector === selector).length);
    }
    return position;
  }

  /** Mean milliseconds between two starts for the model since its queue formed; null without a queue. */
  intervalMs(selector: ModelSelector, nowMs: number): number | null {
    const flow = this.flows.get(selector);
    return flow === undefined ? null : (nowMs - flow.formedAtMs) / Math.max(1, flow.started);
  }

  /** Charged first, because a request may end before its start returns. */
  private tryEntry(key: KeyQueue, { waiting, selector }: Entry): boolean {
    const flow = this.flows.get(selector);
    const beganAtMs = key.virtualMs;
    const chargeMs = this.meanServiceMs;
    key.virtualMs += chargeMs;
    this.charged.set(waiting, chargeMs);
    if (!waiting.tryStart()) {
      if (this.charged.delete(waiting)) key.virtualMs -= chargeMs;
      return false;
    }
    this.virtualMs = Math.max(this.virtualMs, beganAtMs);
    if (flow !== undefined) flow.started += 1;
    return true;
  }

  private keyQueue(waiting: Waiting): KeyQueue {
    const name = keyOf(waiting);
    let key = this.keys.get(name);
    if (key === undefined) {
      // Never while entries are tried: one that re-enters must find its key.
      if (this.keys.size >= MAX_IDLE_KEYS) this.forgetIdleKeys();
      this.keys.set(name, (key = { entries: [], virtualMs: this.virtualMs }));
    }
    return key;
  }

  private forgetIdleKeys(): void {
    for (const [name, { entries }] of this.keys) if (entries.length === 0) this.keys.delete(name);
  }
}

interface Turn {
  readonly key: KeyQueue;
  /** A copy of the key's entries, because the queue changes meanwhile. */
  readonly untried: Entry[];
  next: number;
}

/** Requests that are tried, by key. */
export interface Turns {
  left: number;
  readonly node: ModelHost | undefined;
  readonly keys: readonly Turn[];
}

const comesBefore = (one: Turn, other: Turn): boolean => {
  if (one.key.virtualMs !== other.key.virtualMs) return one.key.virtualMs < other.key.virtualMs;
  return arrivalOf(one) < arrivalOf(other);
};

const arrivalOf = ({ untried, next }: Turn): number => untried[next]?.waiting.arrival ?? Infinity;

const keyOf = ({ keyPublicId }: SlotHolder): string => keyPublicId ?? '';
