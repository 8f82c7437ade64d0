/** A request body that was read and checked. */
export interface RawBody {
  /** The bytes after content decoding, without a byte order mark: what is forwarded to the node. */
  readonly raw: Buffer;
  /** Gives the bytes back to the memory budget as soon as they are no longer needed. Idempotent; happens by itself when the response is over. */
  release(): void;
}

/** A request body that was parsed once. */
export interface ParsedBody extends RawBody {
  /**
   * The same, parsed, to be read and never to be sent on: in bodies above the inline limit (1 MiB), strings are cut to
   * 65,536 characters. An own `__proto__` key is an ordinary key in here: never use it to build objects of ours.
   */
  readonly json: Readonly<Record<string, unknown>>;
}
