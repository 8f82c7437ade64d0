/**
 * The load generator, a process of its own. Streams: opens them, reads them all, notes for each event how long it was on its way.
 * Requests: a fixed number of connections, each with the next request as soon as the last is answered. Probes: requests on a fixed
 * schedule whose latency counts from the moment they were due, not from when the generator got round to them.
 */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { monotonicMicros } from '../monotonic.js';
import { distribution, type Distribution } from '../statistics.js';

export interface LoadOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly kind: 'streams' | 'requests' | 'bursts';
  readonly connections: number;
  /** Streams: opened evenly over this long, so that the start is not part of the measurement. */
  readonly rampMs: number;
  readonly events: number;
  readonly intervalMs: number;
  readonly padBytes: number;
  /** Requests and bursts: how long to go on. */
  readonly durationMs: number;
  /** Time to first byte of extra one-event streams, this far apart; 0: none. */
  readonly probeIntervalMs: number;
  readonly bodyBytes: number;
}

export interface LoadResult {
  readonly events: number;
  readonly requests: number;
  readonly failures: number;
  readonly seconds: number;
  /** Milliseconds from the engine's socket to this process, per event. */
  readonly transit: Distribution;
  readonly firstByte: Distribution;
  readonly firstFailure: string | null;
}

const STAMP = /@(\d+)@/g;

class Load {
  private events = 0;
  private requests = 0;
  private failures = 0;
  private firstFailure: string | null = null;
  private readonly transitMs: number[] = [];
  private readonly firstByteMs: number[] = [];
  private readonly agent = new Agent({ keepAlive: true, maxSockets: Infinity });

  constructor(private readonly order: LoadOrder) {}

  /** Work done so far: events of streams, or whole answers. */
  get arrived(): number {
    return this.order.kind === 'requests' ? this.requests : this.events;
  }

  async run(): Promise<LoadResult> {
    const since = performance.now();
    const work = this.order.kind === 'streams' ? this.streams() : this.closedLoop();
    let running = true;
    const probes = this.order.probeIntervalMs > 0 ? this.probe(() => running) : Promise.resolve();
    await work;
    running = false;
    await probes;
    this.agent.destroy();
    return {
      events: this.events,
      requests: this.requests,
      failures: this.failures,
      seconds: (performance.now() - since) / 1_000,
      transit: distribution(this.transitMs),
      firstByte: distribution(this.firstByteMs),
      firstFailure: this.firstFailure,
    };
  }

  private async streams(): Promise<void> {
    const { connections, rampMs } = this.order;
    await Promise.all(
      Array.from({ length: connections }, async (_unused, index) => {
        await delay((rampMs * index) / connections);
        await this.stream(this.order.events, this.order.intervalMs);
      }),
    );
  }

  private async closedLoop(): Promise<void> {
    const end = performance.now() + this.order.durationMs;
    await Promise.all(
      Array.from({ length: this.order.connections }, async () => {
        while (performance.now() < end) {
          if (this.order.kind === 'bursts') await this.stream(this.order.events, 0);
          else await this.whole();
        }
      }),
    );
  }

  private async probe(running: () => boolean): Promise<void> {
    const { probeIntervalMs } = this.order;
    const open: Promise<void>[] = [];
    let dueAt = performance.now() + this.order.rampMs;
    while (running()) {
      await delay(Math.max(0, dueAt - performance.now()));
      open.push(this.stream(1, 1, dueAt));
      dueAt += probeIntervalMs;
    }
    await Promise.all(open);
  }

  private body(stream: boolean, order: string): string {
    const filler = 'a'.repeat(Math.max(0, this.order.bodyBytes - 120));
    return `{"model":"bench","stream":${stream},${order}"messages":[{"role":"user","content":"hi ${filler}"}]}`;
  }

  private stream(events: number, intervalMs: number, dueAt = performance.now()): Promise<void> {
    const order = `"bench":{"events":${events},"intervalMs":${intervalMs},"padBytes":${this.order.padBytes}},`;
    return this.post(this.body(true, order), (response) => {
      let first = true;
      let tail = '';
      response.setEncoding('latin1');
      response.on('data', (text: string) => {
        const now = monotonicMicros();
        if (first) {
          first = false;
          this.firstByteMs.push(performance.now() - dueAt);
        }
        for (const match of text.matchAll(STAMP)) {
          this.events += 1;
          this.transitMs.push((now - Number(match[1])) / 1_000);
        }
        tail = text.slice(-20);
      });
      return () => tail.includes('[DONE]');
    });
  }

  private whole(): Promise<void> {
    const since = performance.now();
    return this.post(this.body(false, ''), (response) => {
      response.once('data', () => this.firstByteMs.push(performance.now() - since)).resume();
      return () => response.statusCode === 200;
    });
  }

  private post(body: string, read: (response: IncomingMessage) => () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const fail = (why: string): void => {
        this.failures += 1;
        this.firstFailure ??= why;
        resolve();
      };
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...this.order.headers,
      };
      const sender = httpRequest(this.order.url, { method: 'POST', agent: this.agent, headers }, (response) => {
        if (response.statusCode !== 200) {
          fail(`status ${response.statusCode ?? 0}`);
          response.resume();
          return;
        }
        const whole = read(response);
        response.on('end', () => {
          this.requests += 1;
          if (whole()) resolve();
          else fail('ended early');
        });
        response.on('error', (error) => {
          fail(error.message);
        });
      });
      sender.on('error', (error) => {
        fail(error.message);
      });
      sender.end(body);
    });
  }
}

let load: Load | undefined;

/** An order starts the one load of this process; `mark` asks how many events have arrived so far. */
process.on('message', (message: LoadOrder | 'mark') => {
  if (message === 'mark') process.send?.({ mark: load?.arrived ?? 0 });
  else {
    load = new Load(message);
    void load.run().then((result) => process.send?.({ result }));
  }
});
process.on('disconnect', () => process.exit(0));
