import type { ErrorCode } from '../../../kernel/errors/error-catalogue.js';
import { IntrusiveListNode } from '../../../kernel/intrusive-list.js';
import type { ResetReason } from '../../../link/messages.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { ObservedRequest } from './request-lifecycle-listener.js';
import type { RequestTimeline } from './request-timeline.js';

/** A running request as the drain, key revocation and stall detection see it. */
export interface LiveRequest extends ObservedRequest {
  readonly timeline: RequestTimeline;
  /** Among those that run; null: it does not run. */
  livePlace: IntrusiveListNode | null;
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

/** Of a request among those that run. */
export class LivePlace<Request> extends IntrusiveListNode {
  constructor(readonly request: Request) {
    super();
  }
}

/** Requests that have begun and not ended, for drain and revocation. In a list, whose places the requests hold themselves. */
export class LiveRequests<Request extends { livePlace: IntrusiveListNode | null }> implements Iterable<Request> {
  private readonly places = new IntrusiveListNode();
  private count = 0;
  private readonly onEmpty = new Set<() => void>();

  get size(): number {
    return this.count;
  }

  /** Idempotent. */
  add(request: Request): void {
    if (request.livePlace !== null) return;
    request.livePlace = new LivePlace(request);
    this.places.append(request.livePlace);
    this.count += 1;
  }

  /** Idempotent. */
  delete(request: Request): void {
    if (request.livePlace === null) return;
    request.livePlace.unlink();
    request.livePlace = null;
    this.count -= 1;
    if (this.count > 0) return;
    for (const resolve of this.onEmpty) resolve();
    this.onEmpty.clear();
  }

  /** A copy: ending one while iterating must not skip another. */
  [Symbol.iterator](): Iterator<Request> {
    const requests: Request[] = [];
    for (let place = this.places.next; place !== this.places; place = place.next)
      requests.push((place as LivePlace<Request>).request);
    return requests[Symbol.iterator]();
  }

  /** Resolves in the moment when none is left. */
  async empty(): Promise<void> {
    if (this.count === 0) return;
    await new Promise<void>((resolve) => this.onEmpty.add(resolve));
  }
}
