import type WebSocket from 'ws';
import type { LinkTransport } from '../../link/transport.js';

const CLOSE_TIMEOUT_MS = 1_000;

/** A `ws` socket as the link session wants it. */
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
    // `ws` would wait half a minute for the other side's farewell, and keep a stopped node alive for it.
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

  /** `ws` throws on a socket that is closing, which is nothing unusual here. */
  private isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }
}
