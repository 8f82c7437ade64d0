import type { ErrorCode } from '../../../kernel/errors/error-catalogue.js';
import type { ResetReason } from '../../../link/messages.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { ObservedRequest } from './routed-request.js';
import type { RequestTimeline } from './request-timeline.js';

/** The place of a request that does not run. */
export const NOT_LISTED = -1;

/** A running request as the drain, key revocation and stall detection see it. */
export interface LiveRequest extends ObservedRequest {
  readonly timeline: RequestTimeline;
  /** Among those that run, for {@link LiveRequests}. */
  listIndex: number;
  /** In the queue; no node has it. */
  readonly waiting: boolean;
  /** null: no node has it. */
  readonly placement: Placement | null;
  /** Events of its response so far; null: it is no stream, or no node has it. */
  readonly receivedEvents: number | null;
  /** Milliseconds since its last event; null: it has none yet, or is over. */
  readonly silentMs: number | null;
  /** Ends it from outside. Idempotent. */
  abort(outcome: 'failed' | 'cancelled', code: ErrorCode, message: string, reset: ResetReason): void;
}

/**
 * Requests that have begun and not ended, for drain and revocation. In a list, in which each request knows its place: a table that thousands
 * of requests a second pass through costs several times as much.
 */
export class LiveRequests<Request extends { listIndex: number }> implements Iterable<Request> {
  private readonly requests: Request[] = [];
  private readonly onEmpty = new Set<() => void>();

  get size(): number {
    return this.requests.length;
  }

  /** Idempotent. */
  add(request: Request): void {
    if (request.listIndex === NOT_LISTED) request.listIndex = this.requests.push(request) - 1;
  }

  /** Idempotent. */
  delete(request: Request): void {
    const index = request.listIndex;
    if (index === NOT_LISTED) return;
    request.listIndex = NOT_LISTED;
    const last = this.requests.pop();
    if (last !== undefined && last !== request) {
      this.requests[index] = last;
      last.listIndex = index;
    }
    if (this.requests.length > 0) return;
    for (const resolve of this.onEmpty) resolve();
    this.onEmpty.clear();
  }

  /** A copy: ending one while iterating must not skip another. */
  [Symbol.iterator](): Iterator<Request> {
    return [...this.requests][Symbol.iterator]();
  }

  /** Resolves in the moment when none is left. */
  async empty(): Promise<void> {
    if (this.requests.length === 0) return;
    await new Promise<void>((resolve) => this.onEmpty.add(resolve));
  }
}
