import type { Clock } from '../../kernel/clock.js';

const REMEMBERED_MS = 10 * 60_000;
/** Bounds one generation: some sixteen new requests a second for ten minutes; beyond that the oldest are forgotten early. */
const MAX_YOUNG = 10_000;

/**
 * Remembers accepted requests, so that a repeated one is not run twice (docs/reference/link.md#deduplication). Two generations, of which
 * the older is dropped as a whole: deleting the oldest entries of a large map one by one gets slow.
 */
export class RecentRequests {
  /** Until when each is remembered, monotonic. */
  private young = new Map<string, number>();
  private old = new Map<string, number>();
  private youngSinceMs: number;

  constructor(private readonly clock: Clock) {
    this.youngSinceMs = clock.monotonicMs();
  }

  has(requestId: string): boolean {
    const expiry = this.young.get(requestId) ?? this.old.get(requestId);
    return expiry !== undefined && expiry > this.clock.monotonicMs();
  }

  /** Call it once the node has accepted: a refused request may well come again. */
  add(requestId: string): void {
    const nowMs = this.clock.monotonicMs();
    if (this.young.size >= MAX_YOUNG || nowMs - this.youngSinceMs >= REMEMBERED_MS) {
      this.old = this.young;
      this.young = new Map();
      this.youngSinceMs = nowMs;
    }
    this.young.set(requestId, nowMs + REMEMBERED_MS);
  }
}
