import { FIRST_PENALTY_MS } from './failure-record.js';

/** The dispatch time of a request and the time from which its first event is overdue; monotonic. */
interface SilentRequest {
  readonly askedAtMs: number;
  readonly overdueAtMs: number;
}

/** Requests for one model of one node without an event, in dispatch order. */
export class SilentRequests {
  private readonly requests = new Set<SilentRequest>();
  /** Their number: read for every candidate of every request, and the set would be two more places in memory. */
  private count = 0;
  private spokeAtMs = -Infinity;

  get none(): boolean {
    return this.count === 0;
  }

  add(request: SilentRequest): void {
    this.requests.add(request);
    this.count = this.requests.size;
  }

  /** @returns whether it had no event before */
  delete(request: SilentRequest): boolean {
    const wasSilent = this.requests.delete(request);
    this.count = this.requests.size;
    return wasSilent;
  }

  /** An answer began or was completed: the engine works for the remaining ones. */
  spoke(nowMs: number): void {
    this.spokeAtMs = nowMs;
  }

  /**
   * Penalty of an engine that keeps a request waiting far longer than predicted while it answers no other. Only the oldest request is
   * examined, so the cost does not grow with the load.
   */
  penaltyMs(nowMs: number): number {
    if (this.none) return 0;
    for (const { askedAtMs, overdueAtMs } of this.requests) {
      const dueAtMs = Math.max(overdueAtMs, this.spokeAtMs + overdueAtMs - askedAtMs);
      return nowMs < dueAtMs ? 0 : FIRST_PENALTY_MS + nowMs - dueAtMs;
    }
    return 0;
  }
}
