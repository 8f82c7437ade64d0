import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../http1/client.js';
import { streamBody, type StreamSpec } from '../load/chat-client.js';
import { distribution, type Distribution } from '../statistics.js';

const FAREWELL = '[DONE]';
const REFUSED = 'status 503';
const TICK_MS = 5;

export interface Tally {
  /** Complete, and no later than the bound. */
  readonly inTime: number;
  /** Complete, but too late for anybody who waits. */
  readonly late: number;
  /** 503 before the first event. */
  readonly refused: number;
  readonly failed: number;
  readonly firstFailure: string | null;
  /** Milliseconds from the moment at which a stream was due to its first event. */
  readonly firstEvent: Distribution;
}

/** Begins streams on a fixed schedule, however many are open: unlike clients that wait, it can ask for more than the relay can do. */
export class OpenLoop {
  private readonly client: Client;
  private readonly path: string;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly body: Buffer;

  constructor(
    { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
    private readonly spec: StreamSpec,
    private readonly lateMs: number,
  ) {
    const { hostname, port, pathname } = new URL(url);
    this.client = new Client(hostname, Number(port));
    this.path = pathname;
    this.headers = { 'content-type': 'application/json', ...headers };
    this.body = streamBody(spec);
  }

  /**
   * Opens connections, as clients that keep theirs have them. Node accepts one new connection in each turn of its event loop, so those of a
   * full relay would wait in the listener, where it can refuse nothing.
   */
  async connect(connections: number): Promise<void> {
    await Promise.all(
      Array.from(
        { length: connections },
        () =>
          new Promise<void>((resolve) => {
            this.client.send({
              method: 'GET',
              path: '/livez',
              headers: {},
              body: Buffer.alloc(0),
              onBody: () => undefined,
              onDone: () => resolve(),
            });
          }),
      ),
    );
  }

  /** @returns when all streams have ended */
  async run(perSecond: number, seconds: number): Promise<Tally> {
    const tally = { inTime: 0, late: 0, refused: 0, failed: 0, firstFailure: null as string | null };
    const firstEvents: number[] = [];
    const streams: Promise<void>[] = [];
    const beganMs = performance.now();
    const total = Math.round(perSecond * seconds);
    while (streams.length < total) {
      const due = Math.min(total, Math.floor(((performance.now() - beganMs) * perSecond) / 1_000) + 1);
      while (streams.length < due) {
        const dueAtMs = beganMs + (streams.length * 1_000) / perSecond;
        streams.push(
          this.stream(dueAtMs, (failure, firstMs, totalMs) => {
            if (firstMs !== null) firstEvents.push(firstMs);
            if (failure === null) {
              if (totalMs <= this.spec.events * this.spec.intervalMs + this.lateMs) tally.inTime += 1;
              else tally.late += 1;
            } else if (failure === REFUSED) tally.refused += 1;
            else {
              tally.failed += 1;
              tally.firstFailure ??= failure;
            }
          }),
        );
      }
      await delay(TICK_MS);
    }
    await Promise.all(streams);
    return { ...tally, firstEvent: distribution(firstEvents) };
  }

  close(): void {
    this.client.close();
  }

  private stream(
    dueAtMs: number,
    ended: (failure: string | null, firstMs: number | null, totalMs: number) => void,
  ): Promise<void> {
    return new Promise((resolve) => {
      let firstMs: number | null = null;
      let tail = '';
      this.client.send({
        method: 'POST',
        path: this.path,
        headers: this.headers,
        body: this.body,
        onBody: (part) => {
          firstMs ??= performance.now() - dueAtMs;
          tail = (tail + part.toString('latin1', Math.max(0, part.length - 16))).slice(-16);
        },
        onDone: (failure) => {
          ended(failure ?? (tail.includes(FAREWELL) ? null : 'ended early'), firstMs, performance.now() - dueAtMs);
          resolve();
        },
      });
    });
  }
}
