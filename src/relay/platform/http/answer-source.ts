import type { Observable } from 'rxjs';

/**
 * An answer on its way from a node, as whoever sends it to a client sees it. The protocols make one out of a dispatched
 * request; `EventStream` and `JsonResponse` send it.
 */
export interface AnswerSource {
  /**
   * Cold: subscribing starts the request, unsubscribing cancels it. One item is the bytes of all whole events that arrived
   * in one turn of the event loop, or a part of one event larger than a frame. Errors with FerryError.
   */
  readonly bytes$: Observable<Uint8Array>;
  /**
   * False inside an event larger than a frame, and inside a JSON body: nothing of ours may be written there
   * (docs/reference/link.md#event-boundaries).
   */
  atBoundary(): boolean;
  /** Bytes of a whole JSON answer; known at its first item. Null for streams. */
  contentLength(): number | null;
  /** Further response headers, lower case. Read once, when the head is written. */
  headers(): Readonly<Record<string, string>>;
  /** The client's socket took this many of the bytes: they become credit for the node (docs/reference/request-lifecycle.md#credit). */
  taken(bytes: number): void;
}
