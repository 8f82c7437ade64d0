/** A TCP proxy in front of a server, on a network that fails in the four ways which a client sees differently, and that heals. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * `pause`: nothing arrives until it heals, and then everything. `half_open`: connections that are open, or opened meanwhile, never carry
 * anything again, and neither end learns of it. `slow`: everything arrives after `SLOW_MS`. `reset`: connections are reset, and so are new ones.
 */
export const cuts = ['pause', 'half_open', 'slow', 'reset'] as const;
export type Cut = (typeof cuts)[number];

/** For each direction: a question and its response take longer than the query timeout of a relay, 3 s. */
const SLOW_MS = 2_000;

export class CutProxy {
  /** Connections since the start. */
  accepted = 0;
  private readonly pairs = new Set<Pair>();
  private cutting: Cut | null = null;
  /** Connections that did not reach the server, and do when it heals if they are still there: as the first packet, sent again. */
  private readonly waiting = new Map<Socket, Buffer[]>();
  /** Connections that never reach it. */
  private readonly lost = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly targetPort: number,
    private readonly slowMs: number,
  ) {
    server.on('connection', (client) => {
      this.accepted += 1;
      client.on('error', () => undefined);
      switch (this.cutting) {
        case 'reset':
          client.resetAndDestroy();
          break;
        case 'half_open':
          this.lost.add(client);
          client.on('close', () => this.lost.delete(client));
          client.resume();
          break;
        case 'pause':
          this.hold(client);
          break;
        default:
          this.join(client);
      }
    });
  }

  static async start(targetPort: number, slowMs = SLOW_MS): Promise<CutProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CutProxy(server, targetPort, slowMs);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  cut(how: Cut): void {
    this.cutting = how;
    for (const pair of this.pairs) pair.cut(how);
  }

  /** What `half_open` has cut stays dead: only new connections work. */
  heal(): void {
    this.cutting = null;
    for (const pair of this.pairs) pair.heal();
    for (const [client, sent] of this.waiting) {
      this.waiting.delete(client);
      client.removeAllListeners('data');
      this.join(client, sent);
    }
  }

  async stop(): Promise<void> {
    for (const pair of this.pairs) pair.destroy();
    for (const client of [...this.waiting.keys(), ...this.lost]) client.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private hold(client: Socket): void {
    const sent: Buffer[] = [];
    this.waiting.set(client, sent);
    client.on('close', () => this.waiting.delete(client));
    // Without reading, the end of the connection would not be seen.
    client.on('data', (bytes: Buffer) => sent.push(bytes));
  }

  private join(client: Socket, sent: readonly Buffer[] = []): void {
    const pair = new Pair(client, connect(this.targetPort, '127.0.0.1'), this.slowMs, () => this.pairs.delete(pair));
    this.pairs.add(pair);
    for (const bytes of sent) pair.passOn(bytes);
    if (this.cutting !== null) pair.cut(this.cutting);
  }
}

/** What one end has sent, or that it has closed, not yet passed on to the other one. */
interface Sent {
  readonly bytes: Buffer | null;
  readonly dueAtMs: number;
}

class Direction {
  private readonly waiting: Sent[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly to: Socket,
    private readonly pair: Pair,
  ) {}

  send(bytes: Buffer | null): void {
    if (this.pair.dead) return;
    this.waiting.push({ bytes, dueAtMs: performance.now() + (this.pair.slow ? this.pair.slowMs : 0) });
    this.flush();
  }

  flush(atOnce = false): void {
    clearTimeout(this.timer);
    if (this.pair.paused) return;
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      const inMs = next.dueAtMs - performance.now();
      if (inMs > 0 && !atOnce) {
        this.timer = setTimeout(() => {
          this.flush();
        }, inMs).unref();
        return;
      }
      this.waiting.shift();
      if (next.bytes === null) this.to.destroy();
      else if (this.to.writable) this.to.write(next.bytes);
    }
  }

  drop(): void {
    clearTimeout(this.timer);
    this.waiting.length = 0;
  }
}

class Pair {
  dead = false;
  paused = false;
  slow = false;
  private readonly directions: readonly Direction[];

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    readonly slowMs: number,
    onEnd: () => void,
  ) {
    const toServer = new Direction(server, this);
    const toClient = new Direction(client, this);
    this.directions = [toServer, toClient];
    for (const [from, direction] of [
      [client, toServer],
      [server, toClient],
    ] as const) {
      from.setNoDelay(true);
      from.on('data', (bytes: Buffer) => {
        direction.send(bytes);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        direction.send(null);
        if (client.destroyed && server.destroyed) onEnd();
      });
    }
  }

  /** What the client has sent before. */
  passOn(bytes: Buffer): void {
    this.directions[0]?.send(bytes);
  }

  cut(how: Cut): void {
    switch (how) {
      case 'pause':
        this.paused = true;
        break;
      case 'half_open':
        this.dead = true;
        for (const direction of this.directions) direction.drop();
        break;
      case 'slow':
        this.slow = true;
        break;
      case 'reset':
        this.client.resetAndDestroy();
        this.server.resetAndDestroy();
        break;
      default:
        how satisfies never;
    }
  }

  heal(): void {
    this.paused = false;
    this.slow = false;
    for (const direction of this.directions) direction.flush(true);
  }

  destroy(): void {
    this.client.destroy();
    this.server.destroy();
  }
}
