import type WebSocket from 'ws';
import type { LinkTransport } from '../../link/transport.js';

const CLOSE_TIMEOUT_MS = 1_000;

/** Counts the bytes of link messages, before WebSocket framing and TLS. */
export interface LinkMeter {
  sent(bytes: number): void;
  received(bytes: number): void;
}

/** Adapts a `ws` socket to the link session. */
export class SocketTransport implements LinkTransport {
  constructor(private readonly socket: WebSocket) {}

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  send(batch: Uint8Array, taken: () => void): void {
    if (this.isOpen()) this.socket.send(batch, { binary: true, compress: false }, taken);
  }

  ping(): void {
    if (this.isOpen()) this.socket.ping();
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
    // `ws` waits 30 seconds for the peer's close frame, which would keep a stopped node's process alive.
    const giveUp = setTimeout(() => {
      this.socket.terminate();
    }, CLOSE_TIMEOUT_MS);
    this.socket.once('close', () => {
      clearTimeout(giveUp);
    });
  }

  terminate(): void {
    this.socket.terminate();
  }

  /** `ws` throws when sending on a closing socket, which is a normal race here. */
  private isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }
}

/** A class of its own, so that counting costs nothing while it is off. */
export class MeteredTransport extends SocketTransport {
  constructor(
    socket: WebSocket,
    private readonly meter: LinkMeter,
  ) {
    super(socket);
  }

  override send(batch: Uint8Array, taken: () => void): void {
    this.meter.sent(batch.byteLength);
    super.send(batch, taken);
  }
}
