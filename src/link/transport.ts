/** What a link session needs of its socket. A `ws` WebSocket stands behind it in production, a queue in tests. */
export interface LinkTransport {
  /** One WebSocket message: one or more whole frames. */
  send(batch: Uint8Array): void;
  /** WebSocket ping; the answer counts as liveness through {@link LinkSession.heard}. */
  ping(): void;
  /** Starts the closing handshake; the owner reports the end through {@link LinkSession.closed}. */
  close(code: number, reason: string): void;
  /** Ends the connection at once, for a peer that no longer answers. */
  terminate(): void;
}
