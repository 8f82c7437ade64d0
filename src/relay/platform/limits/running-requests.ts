import type { ReplicaId } from '../../../kernel/ids.js';

/** More replicas than this are not counted. */
const MAX_REPLICAS = 256;
/** Others are told at once of a change by this part of the limit. */
const URGENT_SHARE = 0.02;
/** A replica starts this part of the limit, divided by the number of replicas, before it asks them. */
const UNREQUESTED_SHARE = 1 / 8;

/**
 * Running requests of one key or account: here, and at other replicas as far as they have told.
 *
 * Replicas that start requests at the same time exceed the limit by at most one for each other replica, however long their messages take:
 * - Far from the limit, each starts at most `W` requests that not all others know of, and only while `W` by each of them would fit as well.
 * - Near it, each starts only when all others know of all that run here. So each has at most one that they do not know of.
 */
export class RunningRequests {
  /** Live permits rather than a counter, which could drift. */
  private readonly here = new Set<object>();
  private elsewhere: Map<ReplicaId, { readonly running: number; readonly untilMs: number }> | null = null;
  /** null: not limited, so that others need not know. */
  private limit: number | null = null;
  private lastSentCount = 0;
  /** Every other replica knows of this many at least: of the numbers that it may have heard last, the smallest. */
  private acknowledgedCount = 0;
  /** The same as soon as they have answered the last question. */
  private countSentWithQuery = 0;

  add(permit: object, limit: number | null): void {
    this.here.add(permit);
    this.limit = limit;
  }

  /** @returns whether it ran, and its number is limited */
  delete(permit: object): boolean {
    return this.here.delete(permit) && this.limit !== null;
  }

  /** At this replica. */
  get countHere(): number {
    return this.here.size;
  }

  count(nowMs: number): number {
    let count = this.here.size;
    for (const [replica, { running, untilMs }] of this.elsewhere ?? []) {
      if (nowMs < untilMs) count += running;
      else this.elsewhere?.delete(replica);
    }
    return count;
  }

  /**
   * Whether the other replicas are asked before the limit decides on one more request.
   * @param replicas with this one
   * @param asked they were, since the request came: a second time would not make a refusal more certain
   */
  mustQuery(limit: number, replicas: number, asked: boolean, nowMs: number): boolean {
    const running = this.count(nowMs);
    // One may have ended elsewhere a moment ago.
    if (running >= limit) return !asked && this.here.size < limit;
    const unsent = this.here.size - this.acknowledgedCount;
    if (unsent <= 0) return false;
    const unrequested = Math.max(1, Math.floor((limit * UNREQUESTED_SHARE) / replicas));
    return unsent >= unrequested || running + (replicas - 1) * unrequested >= limit;
  }

  /** Whether the other replicas are to be told before the next regular message. */
  get urgent(): boolean {
    if (this.limit === null) return false;
    return Math.abs(this.here.size - this.lastSentCount) >= Math.max(1, this.limit * URGENT_SHARE);
  }

  /** The number for a message to all others, or to one of them that asks. */
  reportTo(to: 'all' | 'one'): number {
    const running = this.limit === null ? 0 : this.here.size;
    if (to === 'all') this.lastSentCount = running;
    this.acknowledgedCount = Math.min(this.acknowledgedCount, running);
    this.countSentWithQuery = Math.min(this.countSentWithQuery, running);
    return running;
  }

  /** The number for a question to all others. */
  query(): number {
    const running = this.reportTo('all');
    this.countSentWithQuery = running;
    return running;
  }

  /** All others have answered the last question. */
  answered(): void {
    this.acknowledgedCount = this.countSentWithQuery;
  }

  /** @param untilMs how long it counts unless the replica repeats it: one that falls silent is forgotten */
  onReport(replica: ReplicaId, running: number, untilMs: number): void {
    if (running === 0) {
      this.elsewhere?.delete(replica);
      if (this.elsewhere?.size === 0) this.elsewhere = null;
      return;
    }
    this.elsewhere ??= new Map();
    if (this.elsewhere.has(replica) || this.elsewhere.size < MAX_REPLICAS)
      this.elsewhere.set(replica, { running, untilMs });
  }
}
