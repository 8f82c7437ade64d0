import type { ErrorCode } from '../../../kernel/errors/error-catalogue.js';
import { GenerationalMap } from '../../../kernel/generational-map.js';
import type { ResetReason } from '../../../link/messages.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { RequestToken } from '../admission/request-token.js';
import type { ObservedRequest } from './request-lifecycle-listener.js';
import type { RequestTimeline } from './request-timeline.js';

/** A running request as the drain, key revocation and stall detection see it. */
export interface LiveRequest extends ObservedRequest {
  readonly timeline: RequestTimeline;
  /** In the queue; no node has it. */
  readonly waiting: boolean;
  /** null: no node has it. */
  readonly placement: Placement | null;
  /** Events of its answer so far; null: it is no stream, or no node has it. */
  readonly receivedEvents: number | null;
  /** Milliseconds since its last event; null: it has none yet, or is over. */
  readonly silentMs: number | null;
  /** Ends it from outside. Idempotent. */
  abort(outcome: 'failed' | 'cancelled', code: ErrorCode, message: string, reset: ResetReason): void;
}

/** Requests that have begun and not ended, for drain and revocation. */
export class LiveRequests<Request extends { readonly token: RequestToken }> implements Iterable<Request> {
  private readonly requests = new GenerationalMap<RequestToken, Request>();
  private readonly onEmpty = new Set<() => void>();

  get size(): number {
    return this.requests.size;
  }

  add(request: Request): void {
    this.requests.set(request.token, request);
  }

  /** Idempotent. */
  delete(request: Request): void {
    if (this.requests.take(request.token) === undefined || this.requests.size > 0) return;
    for (const resolve of this.onEmpty) resolve();
    this.onEmpty.clear();
  }

  /** A copy: ending one while iterating must not skip another. */
  [Symbol.iterator](): Iterator<Request> {
    return [...this.requests.values()][Symbol.iterator]();
  }

  /** Resolves in the moment when none is left. */
  async empty(): Promise<void> {
    if (this.requests.size === 0) return;
    await new Promise<void>((resolve) => this.onEmpty.add(resolve));
  }
}
