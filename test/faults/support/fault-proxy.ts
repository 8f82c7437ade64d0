/**
 * A TCP proxy that simulates bad networks, with those toxics of toxiproxy that matter to a link
 * (docs/reference/failures.md#fault-proxy).
 */
import { once } from 'node:events';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { joinSockets } from '../../support/network/join-sockets.js';

export interface Toxics {
  /** Latency added to every chunk, in each direction. */
  readonly latencyMs?: number;
  readonly bytesPerSecond?: number;
  /** Splits data into chunks of at most this size. */
  readonly sliceBytes?: number;
  /** Ends a connection after this many bytes in one direction. */
  readonly limitBytes?: number;
}

/** Above this the sender is paused: a slow network has bounded buffers. */
const QUEUED_BYTES_LIMIT = 262_144;

export class FaultProxy {
  toxics: Toxics = {};
  /** Accepted connections since the start. */
  connections = 0;
  private holes = false;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly targetPort: number,
  ) {
    server.on('connection', (client: Socket) => {
      this.connections += 1;
      this.join(client);
    });
  }

  static async start(targetPort: number): Promise<FaultProxy> {
    const server = net.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultProxy(server, targetPort);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on drops all bytes in both directions while every connection stays open: half-open TCP. */
  blackhole(): void {
    this.holes = true;
  }

  /** New connections work again; those that were dropped stay dead. */
  heal(): void {
    this.holes = false;
    this.toxics = {};
    this.reset();
  }

  /** Sends RST on every connection. */
  reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    this.reset();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    const upstream = net.connect(this.targetPort, '127.0.0.1');
    joinSockets(client, upstream, this.sockets);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.setNoDelay(true);
      this.carry(from, to);
    }
  }

  private carry(from: Socket, to: Socket): void {
    let queued = 0;
    let carried = 0;
    let line = Promise.resolve();
    from.on('data', (bytes: Buffer) => {
      if (this.holes) return;
      const arrivedAtMs = performance.now();
      queued += bytes.length;
      if (queued > QUEUED_BYTES_LIMIT) from.pause();
      line = line.then(async () => {
        carried = await this.pass(bytes, to, carried, arrivedAtMs);
        queued -= bytes.length;
        if (queued <= QUEUED_BYTES_LIMIT) from.resume();
      });
    });
    from.on('end', () => {
      line = line.then(() => void to.end());
    });
  }

  /** @returns bytes forwarded so far in this direction */
  private async pass(bytes: Buffer, to: Socket, before: number, arrivedAtMs: number): Promise<number> {
    const { latencyMs = 0, bytesPerSecond = Infinity, sliceBytes = bytes.length, limitBytes = Infinity } = this.toxics;
    const wait = arrivedAtMs + latencyMs - performance.now();
    if (wait > 0) await delay(wait);
    let carried = before;
    for (let at = 0; at < bytes.length && !to.destroyed && !this.holes; at += sliceBytes) {
      const slice = bytes.subarray(at, at + sliceBytes);
      if (carried + slice.length > limitBytes) {
        to.destroy();
        break;
      }
      carried += slice.length;
      to.write(slice);
      // Without a turn in between, the operating system would join the slices again.
      if (sliceBytes < bytes.length) await new Promise(setImmediate);
      if (bytesPerSecond !== Infinity) await delay((slice.length / bytesPerSecond) * 1_000);
    }
    return carried;
  }
}
