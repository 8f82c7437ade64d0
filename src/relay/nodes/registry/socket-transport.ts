import type { WebSocket } from 'ws';
import { processMeters } from '../../platform/metrics/relay-meters.js';
import type { LinkTransport } from '../../../link/transport.js';

/** WebSocket of one node as the transport of its session. Calls on a closed socket do nothing. */
export class SocketTransport implements LinkTransport {
  constructor(private readonly socket: WebSocket) {}

  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
  }

  send(batch: Uint8Array, taken: () => void): void {
    if (!this.open) return;
    processMeters.linkBytes.add(batch.byteLength, 'to_node');
    this.socket.send(batch, { binary: true }, taken);
  }

  ping(): void {
    if (this.open) this.socket.ping();
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  terminate(): void {
    this.socket.terminate();
  }

  private get open(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }
}
