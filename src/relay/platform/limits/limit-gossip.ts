import type { Clock } from '../../../kernel/clock.js';
import type { ReplicaId } from '../../../kernel/ids.js';
import type { LimitSubject, UnsharedUse } from './limit-subject.js';
import type { RateLimits } from './rate-limits.js';

/** The use of one key or account since the message before, and its running requests now. */
export type SubjectUse = UnsharedUse & { readonly name: string };

export interface LimitGossipOptions {
  readonly rates: Pick<RateLimits, 'shareUse' | 'named' | 'counted'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** A replica repeats its running requests within this time. */
  readonly intervalMs: number;
  /** Something was used that the other replicas should know before the interval is over. */
  readonly onUrgent: () => void;
}

/** Per message: about 60 KiB. */
export const SUBJECTS_PER_MESSAGE = 500;
/** Beyond that a use is not told: the limit of that key holds per replica until the next message. */
const MAX_WAITING = 20_000;
/** This many `debts` are 600 KiB in ten messages. */
const MOST_SENT_AT_START = 5_000;
/** Running requests of a replica that says nothing count for this many intervals. */
const INTERVALS_VALID = 3;

/**
 * What this replica tells the others of the use of limited keys and accounts, and what they tell it. Each replica counts its own requests at
 * once and those of the others when it hears of them. So a rate may be exceeded by what the others admit in the meantime: in an even flow
 * by one second of it per other replica.
 */
export class LimitGossip {
  private readonly used = new Set<LimitSubject>();
  /** Parties with running requests in the last message. */
  private readonly running = new Set<LimitSubject>();

  constructor(private readonly options: LimitGossipOptions) {
    options.rates.shareUse((subject) => {
      this.onUse(subject);
    });
  }

  /** Yields, in messages, the use that the others do not know; it counts as sent. */
  *collect(): Iterable<readonly SubjectUse[]> {
    let message: SubjectUse[] = [];
    for (const subject of new Set([...this.used, ...this.running])) {
      const use = subject.share();
      if (use.running > 0) this.running.add(subject);
      else this.running.delete(subject);
      message.push({ name: subject.name, ...use });
      if (message.length < SUBJECTS_PER_MESSAGE) continue;
      yield message;
      message = [];
    }
    this.used.clear();
    if (message.length > 0) yield message;
  }

  /** A message of another replica. */
  apply(from: ReplicaId, message: readonly SubjectUse[]): void {
    const nowMs = this.options.clock.monotonicMs();
    const untilMs = nowMs + INTERVALS_VALID * this.options.intervalMs;
    for (const { name, ...use } of message) this.options.rates.named(name).usedAt(from, use, nowMs, untilMs);
  }

  /**
   * For a replica that starts, in messages: what keys and accounts owe. Without it each of them had a fresh minute there. The least recently
   * used ones beyond `MOST_SENT_AT_START` have one.
   */
  *debts(): Iterable<readonly SubjectUse[]> {
    const nowMs = this.options.clock.monotonicMs();
    let message: SubjectUse[] = [];
    let sentAtStart = 0;
    for (const subject of this.options.rates.counted()) {
      const debts = subject.debts(nowMs);
      if (debts.requestsDebtMs === 0 && debts.tokensDebtMs === 0) continue;
      message.push({ name: subject.name, ...debts, running: 0 });
      if ((sentAtStart += 1) >= MOST_SENT_AT_START) break;
      if (message.length < SUBJECTS_PER_MESSAGE) continue;
      yield message;
      message = [];
    }
    yield message;
  }

  /** Takes over the debts that a replica had counted before this one started. Several replicas send the same debts. */
  inherit(message: readonly SubjectUse[]): void {
    const nowMs = this.options.clock.monotonicMs();
    for (const { name, ...debts } of message) this.options.rates.named(name).inherit(debts, nowMs);
  }

  /** For a replica that asks: what runs here of the parties that it names. */
  runningOf(names: readonly string[]): readonly SubjectUse[] {
    return names.map((name) => ({ name, ...this.options.rates.named(name).shareRunning('answer') }));
  }

  private onUse(subject: LimitSubject): void {
    if (this.used.size < MAX_WAITING) this.used.add(subject);
    if (subject.urgent) this.options.onUrgent();
  }
}
