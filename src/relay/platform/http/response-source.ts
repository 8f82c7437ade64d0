import type { Observable } from 'rxjs';

/** A subscriber to the bytes. */
export interface ResponseReader {
  /** Reads what the next bytes will need, and changes nothing. */
  readAhead(): number;
}

/** A response that arrives from a node. Protocols create it from a request; `EventStream` and `JsonResponse` send it. */
export interface ResponseSource {
  /**
   * Cold: subscribing starts the request, unsubscribing cancels it. One item is the bytes of all whole events that arrived
   * in one turn of the event loop, or a part of one event larger than a frame. Errors with FerryError.
   */
  readonly bytes$: Observable<Uint8Array>;
  /**
   * False inside an event larger than a frame, and inside a JSON body, where the relay must not insert anything
   * (docs/reference/link.md#event-boundaries).
   */
  atBoundary(): boolean;
  /** Bytes of a whole JSON response; known at its first item. Null for streams. */
  contentLength(): number | null;
  /** Further response headers, lower case. Read once, when the head is written. */
  headers(): Readonly<Record<string, string>>;
  /** The client's socket has accepted this many bytes: they become credit for the node (docs/reference/request-lifecycle.md#credit). */
  consumed(bytes: number): void;
  /**
   * True as long as no node has the request: then a failure still has a status of its own, so that no head is sent. Absent: false.
   */
  waits?(): boolean;
  /** Called when the bytes are subscribed to. A source that is told of bytes before they come passes that on. */
  reader?(reader: ResponseReader): void;
}
