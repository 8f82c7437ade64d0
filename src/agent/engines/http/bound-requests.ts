import type { EngineFailure } from '../engine.js';

/**
 * Running requests that end together when their engine turns out to hang: a stopped process keeps its connections, and a request would wait
 * for ever.
 */
export class BoundRequests {
  private readonly running = new Set<AbortController>();

  /** @param outer of the caller; its abort passes on. @returns call `end` when the request is over */
  begin(outer: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
    const controller = new AbortController();
    const follow = (): void => {
      controller.abort(outer.reason);
    };
    outer.addEventListener('abort', follow, { once: true });
    if (outer.aborted) follow();
    this.running.add(controller);
    return {
      signal: controller.signal,
      end: () => {
        this.running.delete(controller);
        outer.removeEventListener('abort', follow);
      },
    };
  }

  fail(reason: EngineFailure): void {
    for (const controller of this.running) controller.abort(reason);
  }
}
