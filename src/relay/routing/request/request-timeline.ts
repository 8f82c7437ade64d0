import type { Clock } from '../../../kernel/clock.js';

/** The times of a request's steps, in milliseconds since its arrival. */
export class RequestTimeline {
  private readonly acceptedAtMs: number;
  private queuedAtMs: number | null = null;
  private queuedBeforeMs = 0;
  private dispatchedAtMs: number | null = null;
  private firstEventAtMs: number | null = null;

  constructor(private readonly clock: Clock) {
    this.acceptedAtMs = clock.monotonicMs();
  }

  queued(): void {
    this.queuedAtMs ??= this.clock.monotonicMs();
  }

  leftQueue(): void {
    this.queuedBeforeMs = this.queuedMs;
    this.queuedAtMs = null;
  }

  /** The first dispatch counts: a second run does not give the client's patience back. @returns the moment, monotonic. */
  dispatched(): number {
    const nowMs = this.clock.monotonicMs();
    this.dispatchedAtMs ??= nowMs;
    return nowMs;
  }

  /** @returns the moment, monotonic. */
  firstEvent(): number {
    return (this.firstEventAtMs = this.clock.monotonicMs());
  }

  /**
   * As the node reports it afterwards. No effect when it was seen.
   * @param startedAtMs monotonic
   * @param afterMs null: there was none
   */
  firstEventWas(startedAtMs: number, afterMs: number | null): void {
    if (afterMs !== null) this.firstEventAtMs ??= startedAtMs + afterMs;
  }

  /** In all its stays together. */
  get queuedMs(): number {
    return this.queuedBeforeMs + (this.queuedAtMs === null ? 0 : this.clock.monotonicMs() - this.queuedAtMs);
  }

  get sinceDispatchMs(): number {
    return this.dispatchedAtMs === null ? 0 : this.clock.monotonicMs() - this.dispatchedAtMs;
  }

  get firstEventMs(): number | null {
    return this.firstEventAtMs === null ? null : this.firstEventAtMs - this.acceptedAtMs;
  }

  get totalMs(): number {
    return this.clock.monotonicMs() - this.acceptedAtMs;
  }
}
