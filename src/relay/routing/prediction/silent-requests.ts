import { FIRST_PENALTY_MS } from './failure-record.js';

/**
 * The dispatch time of a request and the time from which its first event is overdue, monotonic; a link of a circular list. Of a class of its
 * own: the code of a list whose elements are of more than four classes has to look up the places of their fields.
 */
export class SilentRequest {
  earlier: SilentRequest = this;
  later: SilentRequest = this;

  constructor(
    readonly sentAtMs: number,
    readonly overdueAtMs: number,
  ) {}
}

interface SilentAttempt {
  readonly sentAtMs: number;
  readonly overdueAtMs: number;
  silence: SilentRequest | null;
}

/**
 * Requests for one model of one node without an event, in dispatch order. A list, because the first hash of an object, which a set needs, is
 * a call into C++.
 */
export class SilentRequests {
  /** Before the first and after the last. */
  private readonly end = new SilentRequest(0, 0);
  /** Kept as a field, because it is read for every candidate of every request. */
  private count = 0;
  private spokeAtMs = -Infinity;

  get none(): boolean {
    return this.count === 0;
  }

  add(request: SilentAttempt): void {
    if (request.silence !== null) return;
    const { end } = this;
    const silence = new SilentRequest(request.sentAtMs, request.overdueAtMs);
    silence.earlier = end.earlier;
    silence.later = end;
    end.earlier.later = silence;
    end.earlier = silence;
    request.silence = silence;
    this.count += 1;
  }

  /** @returns whether it had no event before */
  delete(request: SilentAttempt): boolean {
    const { silence } = request;
    if (silence === null) return false;
    silence.earlier.later = silence.later;
    silence.later.earlier = silence.earlier;
    request.silence = null;
    this.count -= 1;
    return true;
  }

  /** A response began or was completed: the engine works for the remaining ones. */
  spoke(nowMs: number): void {
    this.spokeAtMs = nowMs;
  }

  /**
   * Penalty of an engine that keeps a request waiting far longer than predicted while it answers no other. Only the oldest request is
   * examined, so the cost does not grow with the load.
   */
  penaltyMs(nowMs: number): number {
    if (this.none) return 0;
    const { sentAtMs: requestedAtMs, overdueAtMs } = this.end.later;
    const dueAtMs = Math.max(overdueAtMs, this.spokeAtMs + overdueAtMs - requestedAtMs);
    return nowMs < dueAtMs ? 0 : FIRST_PENALTY_MS + nowMs - dueAtMs;
  }
}
