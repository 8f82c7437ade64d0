import type { FerryError } from '../kernel/errors/ferry-error.js';

/** The bytes that a protocol adds to those of the node. */
export interface StreamFormat {
  /** Written after silence: a comment, or `event: ping` (docs/reference/api-behaviour.md#sse-format). */
  readonly keepAlive: Uint8Array;
  /** The final bytes of a failed stream (docs/reference/stream-transport.md#errors-inside-a-stream). */
  terminal(error: FerryError, requestId: string): Uint8Array;
  /**
   * The body of a failed stream has no end: for protocols of which some clients do not know the error event and take the end that follows for
   * that of the response.
   */
  readonly cutsFailures?: true;
  /** Receives the bytes of the node in order, to be copied if kept. Only for formats whose terminal bytes depend on them. */
  watch?(bytes: Uint8Array): void;
  /** Receives the id of the response when a node is asked. Only for formats whose terminal bytes depend on it. */
  named?(responseId: string): void;
}
