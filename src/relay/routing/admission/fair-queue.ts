import type { ModelSelector } from '../../../kernel/ids.js';
import type { SlotHolder, Waiting } from './waiting.js';

interface Entry {
  readonly waiting: Waiting;
  readonly selector: ModelSelector;
}

/** Those of one API key, oldest first. */
interface KeyLine {
  readonly entries: Entry[];
  /** Slot time that the key has had, in milliseconds, as far as it is held against the others that wait. */
  virtualMs: number;
}

/** How the line for one model moves. */
interface Flow {
  waiting: number;
  readonly formedAtMs: number;
  started: number;
}

/** Charged at the start of a request as long as nobody knows how long requests take. */
const UNKNOWN_SERVICE_MS = 1_000;
/** Weight of the newest service time in the mean. */
const MEAN_SHARE = 0.2;
/** Keys that have waited lately and do not now; beyond this their debts are forgotten. */
const MAX_IDLE_KEYS = 1_000;

/**
 * Who of one account waits. Slots are shared by time: the key that has had the least slot time goes next, and within a key the oldest
 * request. A request is charged the mean when it starts and what it really took when it ends, so long answers cost more than short ones,
 * and a key that floods the line only waits behind itself.
 */
export class FairQueue {
  private readonly keys = new Map<string, KeyLine>();
  private readonly flows = new Map<ModelSelector, Flow>();
  private readonly charged = new Map<SlotHolder, number>();
  private meanServiceMs = UNKNOWN_SERVICE_MS;
  /** Of the key that was served last: who begins to wait starts here, and neither owes nor is owed anything for before. */
  private virtualMs = 0;
  /** Entries are being tried; one that its node refuses at once joins again while that goes on. */
  private trying = false;

  /** Nobody waits, and no entry is being tried: what is known of the keys may be forgotten. */
  get disposable(): boolean {
    return this.flows.size === 0 && !this.trying;
  }

  get size(): number {
    let size = 0;
    for (const { waiting } of this.flows.values()) size += waiting;
    return size;
  }

  length(selector: ModelSelector): number {
    return this.flows.get(selector)?.waiting ?? 0;
  }

  /** One that waited before, and was refused by its node, goes back to where it was. */
  join(waiting: Waiting, selector: ModelSelector, nowMs: number): void {
    const key = this.keyLine(waiting);
    const behind = key.entries.findIndex((entry) => entry.waiting.arrival > waiting.arrival);
    if (key.entries.length === 0) key.virtualMs = Math.max(key.virtualMs, this.virtualMs);
    key.entries.splice(behind === -1 ? key.entries.length : behind, 0, { waiting, selector });
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
    const flow = entry === undefined ? undefined : this.flows.get(entry.selector);
    if (entry === undefined || flow === undefined) return;
    flow.waiting -= 1;
    if (flow.waiting === 0) this.flows.delete(entry.selector);
  }

  /** Tries those who wait, in their order and each at most once, until so many have started. */
  start(slots: number): void {
    this.trying = true;
    try {
      this.tryInTurn(slots);
    } finally {
      this.trying = false;
    }
  }

  private tryInTurn(slots: number): void {
    const turns = [...this.keys.values()].map((key) => ({ key, untried: [...key.entries], next: 0 }));
    let left = slots;
    while (left > 0) {
      let first: (typeof turns)[number] | undefined;
      for (const turn of turns) {
        if (turn.next < turn.untried.length && (first === undefined || comesBefore(turn, first))) first = turn;
      }
      const entry = first?.untried[first.next];
      if (first === undefined || entry === undefined) return;
      first.next += 1;
      if (this.tryEntry(first.key, entry)) left -= 1;
    }
  }

  /** A request of the account has left its slot. */
  served(holder: SlotHolder, serviceMs: number): void {
    const chargedMs = this.charged.get(holder) ?? 0;
    this.charged.delete(holder);
    this.meanServiceMs += (serviceMs - this.meanServiceMs) * MEAN_SHARE;
    const key = this.keys.get(keyOf(holder));
    if (key !== undefined) key.virtualMs += serviceMs - chargedMs;
  }

  /** The next is 1. As the keys take turns: behind the older ones of its own key, and as many of each other key. */
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

  /** Milliseconds between two starts for the model, as long as its line has stood; null without a line. */
  intervalMs(selector: ModelSelector, nowMs: number): number | null {
    const flow = this.flows.get(selector);
    return flow === undefined ? null : (nowMs - flow.formedAtMs) / Math.max(1, flow.started);
  }

  /** Charged before, because one that starts may be over before this returns. */
  private tryEntry(key: KeyLine, { waiting, selector }: Entry): boolean {
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

  private keyLine(waiting: Waiting): KeyLine {
    const name = keyOf(waiting);
    let key = this.keys.get(name);
    if (key === undefined) {
      // Never while entries are tried: one that joins again finds its key, which nothing has removed since it left.
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
  readonly key: KeyLine;
  readonly untried: readonly Entry[];
  readonly next: number;
}

const comesBefore = (one: Turn, other: Turn): boolean => {
  if (one.key.virtualMs !== other.key.virtualMs) return one.key.virtualMs < other.key.virtualMs;
  return arrivalOf(one) < arrivalOf(other);
};

const arrivalOf = ({ untried, next }: Turn): number => untried[next]?.waiting.arrival ?? Infinity;

const keyOf = ({ keyPublicId }: SlotHolder): string => keyPublicId ?? '';
