/**
 * The prefill that an engine still owes to earlier requests, counted by their tokens: engines read prompts one after the other, so a short
 * prompt behind a long one waits for all of it. Only the time at which it is done is stored.
 */
export class PrefillBacklog {
  private doneAtMs = -Infinity;

  /** Milliseconds. @param idle no request waits there for its first event */
  leftMs(nowMs: number, idle: boolean): number {
    return idle ? 0 : Math.max(0, this.doneAtMs - nowMs);
  }

  /** A request has arrived. @param prefillMs of its prompt on an idle engine */
  add(prefillMs: number, nowMs: number, idle: boolean): void {
    this.doneAtMs = nowMs + this.leftMs(nowMs, idle) + prefillMs;
  }
}
