import { FIRST_PENALTY_MS } from './failure-record.js';

/** When a request was sent, and from when on its first event is overdue; monotonic. */
interface SilentRequest {
  readonly askedAtMs: number;
  readonly overdueAtMs: number;
}

/** Requests for one model of one node that have no event yet, in the order in which they were sent. */
export class SilentRequests {
  private readonly requests = new Set<SilentRequest>();
  private spokeAtMs = -Infinity;

  get none(): boolean {
    return this.requests.size === 0;
  }

  add(request: SilentRequest): void {
    this.requests.add(request);
  }

  /** @returns whether it was silent until now */
  delete(request: SilentRequest): boolean {
    return this.requests.delete(request);
  }

  /** An answer began or was completed: whoever still waits does so at an engine that works. */
  spoke(nowMs: number): void {
    this.spokeAtMs = nowMs;
  }

  /**
   * Cost of a place that keeps somebody waiting far longer than expected while it answers nobody else either. Only the request that waits
   * longest is looked at, so the price of asking does not grow with the load.
   */
  penaltyMs(nowMs: number): number {
    for (const { askedAtMs, overdueAtMs } of this.requests) {
      const dueAtMs = Math.max(overdueAtMs, this.spokeAtMs + overdueAtMs - askedAtMs);
      return nowMs < dueAtMs ? 0 : FIRST_PENALTY_MS + nowMs - dueAtMs;
    }
    return 0;
  }
}
