import type { Clock } from '../../kernel/clock.js';

const REMEMBERED_MS = 10 * 60_000;
/** Sixteen new requests a second for ten minutes; beyond that the oldest are forgotten early. */
const MAX_REMEMBERED = 10_000;

/** Remembers accepted requests, so that one that arrives twice is run once (reliability §2.7). */
export class RequestLedger {
  /** By insertion, so the oldest come first. */
  private readonly expiries = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  has(requestId: string): boolean {
    const expiry = this.expiries.get(requestId);
    return expiry !== undefined && expiry > this.clock.monotonicMs();
  }

  /** Call it once the node has accepted: a refused request may well come again. */
  add(requestId: string): void {
    const now = this.clock.monotonicMs();
    this.expiries.delete(requestId);
    this.expiries.set(requestId, now + REMEMBERED_MS);
    for (const [oldest, expiry] of this.expiries) {
      if (expiry > now && this.expiries.size <= MAX_REMEMBERED) return;
      this.expiries.delete(oldest);
    }
  }
}
