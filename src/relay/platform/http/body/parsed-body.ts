/** A request body that was read and checked. */
export interface RawBody {
  /** The bytes after content decoding, without a byte order mark: what is forwarded to the node. */
  readonly raw: Buffer;
  /** Releases the bytes from the memory budget before the response is over, when that happens anyway. Idempotent. */
  readonly release: () => void;
}

/** A request body that was parsed once. */
export interface ParsedBody extends RawBody {
  /**
   * The parsed body, for reading only, never for sending: in bodies above the inline limit (1 MiB), strings are cut to
   * 65,536 characters. `__proto__` may be an own key: never build other objects from this one.
   */
  readonly json: Readonly<Record<string, unknown>>;
}
