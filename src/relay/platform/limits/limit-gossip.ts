import type { Clock } from '../../../kernel/clock.js';
import type { ReplicaId } from '../../../kernel/ids.js';
import type { LimitedParty, UnsharedUse } from './limited-party.js';
import type { RateLimits } from './rate-limits.js';

/** The use of one key or account since the message before, and its running requests now. */
export type PartyUse = UnsharedUse & { readonly name: string };

export interface LimitGossipOptions {
  readonly rates: Pick<RateLimits, 'shareUse' | 'named' | 'counted'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** A replica repeats its running requests within this time. */
  readonly intervalMs: number;
  /** Something was used that the other replicas should know before the interval is over. */
  readonly onUrgent: () => void;
}

/** Per message: about 60 KiB. */
export const PARTIES_PER_MESSAGE = 500;
/** Beyond that a use is not told: the limit of that key holds per replica until the next message. */
const MAX_WAITING = 20_000;
/** This many `debts` are 600 KiB in ten messages. */
const MOST_HANDED_OVER = 5_000;
/** Running requests of a replica that says nothing count for this many intervals. */
const INTERVALS_VALID = 3;

/**
 * What this replica tells the others of the use of limited keys and accounts, and what they tell it. Each replica counts its own requests at
 * once and those of the others when it hears of them. So a rate may be exceeded by what the others admit in the meantime: in an even flow
 * by one second of it per other replica.
 */
export class LimitGossip {
  private readonly used = new Set<LimitedParty>();
  /** Parties with running requests in the last message. */
  private readonly running = new Set<LimitedParty>();

  constructor(private readonly options: LimitGossipOptions) {
    options.rates.shareUse((party) => {
      this.onUse(party);
    });
  }

  /** Yields, in messages, the use that the others do not know; it counts as sent. */
  *collect(): Iterable<readonly PartyUse[]> {
    let message: PartyUse[] = [];
    for (const party of new Set([...this.used, ...this.running])) {
      const use = party.share();
      if (use.running > 0) this.running.add(party);
      else this.running.delete(party);
      message.push({ name: party.name, ...use });
      if (message.length < PARTIES_PER_MESSAGE) continue;
      yield message;
      message = [];
    }
    this.used.clear();
    if (message.length > 0) yield message;
  }

  /** A message of another replica. */
  apply(from: ReplicaId, message: readonly PartyUse[]): void {
    const nowMs = this.options.clock.monotonicMs();
    const untilMs = nowMs + INTERVALS_VALID * this.options.intervalMs;
    for (const { name, ...use } of message) this.options.rates.named(name).usedAt(from, use, nowMs, untilMs);
  }

  /**
   * For a replica that starts, in messages: what keys and accounts owe. Without it each of them had a fresh minute there. The least recently
   * used ones beyond `MOST_HANDED_OVER` have one.
   */
  *debts(): Iterable<readonly PartyUse[]> {
    const nowMs = this.options.clock.monotonicMs();
    let message: PartyUse[] = [];
    let handedOver = 0;
    for (const party of this.options.rates.counted()) {
      const debts = party.debts(nowMs);
      if (debts.requestsDebtMs === 0 && debts.tokensDebtMs === 0) continue;
      message.push({ name: party.name, ...debts, running: 0 });
      if ((handedOver += 1) >= MOST_HANDED_OVER) break;
      if (message.length < PARTIES_PER_MESSAGE) continue;
      yield message;
      message = [];
    }
    yield message;
  }

  /** Of a replica that was there when this one started. Several of them tell the same debts. */
  inherit(message: readonly PartyUse[]): void {
    const nowMs = this.options.clock.monotonicMs();
    for (const { name, ...debts } of message) this.options.rates.named(name).inherit(debts, nowMs);
  }

  /** For a replica that asks: what runs here of the parties that it names. */
  runningOf(names: readonly string[]): readonly PartyUse[] {
    return names.map((name) => ({ name, ...this.options.rates.named(name).shareRunning('answer') }));
  }

  private onUse(party: LimitedParty): void {
    if (this.used.size < MAX_WAITING) this.used.add(party);
    if (party.urgent) this.options.onUrgent();
  }
}
