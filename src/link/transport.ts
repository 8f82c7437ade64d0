/** The socket interface of a link session: a `ws` WebSocket in production, a queue in tests. */
export interface LinkTransport {
  /**
   * One WebSocket message: one or more whole frames. The bytes must not change until `taken` is called, after which nothing reads
   * them any more; a transport that keeps them never calls it.
   */
  send(batch: Uint8Array, taken: () => void): void;
  /** WebSocket ping; the owner reports the pong through the session's `ponged`. */
  ping(): void;
  /** Starts the closing handshake; the owner reports the end through the session's `closed`. */
  close(code: number, reason: string): void;
  /** Ends the connection at once, for a peer that no longer responses. */
  terminate(): void;
  /**
   * Bytes given to `send` that the kernel has not taken (`WebSocket.bufferedAmount`). With it the session cuts off a peer that
   * makes it talk without ever reading; without it that bound does not hold.
   */
  readonly bufferedBytes?: number;
}
