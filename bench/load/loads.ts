/** The kinds of load. `start` resolves when the load has reached its level, `finish` when every request has been answered. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { monotonicMicros } from '../monotonic.js';
import { streamBody, type ChatClient } from './chat-client.js';
import type {
  ClosedLoopLoadSpec,
  Destination,
  LoadSpec,
  StalledLoadSpec,
  StreamsLoadSpec,
  UploadsLoadSpec,
} from './load-protocol.js';
import type { Recorder } from './recorder.js';

const SECOND_MS = 1_000;

export interface Load {
  start(): Promise<void>;
  finish(): Promise<void>;
}

export function createLoad(spec: LoadSpec, chat: ChatClient, recorder: Recorder, destination: Destination): Load {
  switch (spec.kind) {
    case 'streams':
      return new Streams(spec, chat);
    case 'requests':
    case 'bursts':
      return new ClosedLoop(spec, chat);
    case 'schedule':
      return new Schedule(1_000 / spec.perSecond, (dueAtMs) => chat.get(spec.path, dueAtMs));
    case 'stalled':
      return new Stalled(spec, destination);
    case 'uploads':
      return new Uploads(spec, chat, recorder);
    case 'rest':
      return { start: () => Promise.resolve(), finish: () => Promise.resolve() };
  }
}

class Streams implements Load {
  private readonly running: Promise<void>[] = [];
  private readonly probes: Schedule | undefined;

  constructor(
    private readonly spec: StreamsLoadSpec,
    private readonly chat: ChatClient,
  ) {
    const probe = { events: spec.probeEvents, intervalMs: 0, padBytes: spec.padBytes, isProbe: true };
    if (spec.probeIntervalMs > 0)
      this.probes = new Schedule(spec.probeIntervalMs, (dueAt) => chat.stream(probe, dueAt));
  }

  async start(): Promise<void> {
    const { connections, rampMs, lastsMs, intervalMs, padBytes } = this.spec;
    await Promise.all(
      Array.from({ length: connections }, async (_unused, index) => {
        const opensAtMs = (rampMs * index) / connections;
        await delay(opensAtMs);
        // All end at about the same time, after the window.
        const events = Math.ceil((rampMs - opensAtMs + lastsMs) / intervalMs);
        await new Promise<void>((flowing) => {
          this.running.push(this.chat.stream({ events, intervalMs, padBytes }, undefined, flowing));
        });
      }),
    );
    await this.probes?.start();
  }

  async finish(): Promise<void> {
    await this.probes?.finish();
    await Promise.all(this.running);
  }
}

class ClosedLoop implements Load {
  private running = true;
  private connections: Promise<void>[] = [];

  constructor(
    private readonly spec: ClosedLoopLoadSpec,
    private readonly chat: ChatClient,
  ) {}

  start(): Promise<void> {
    const { kind, connections, bodyBytes, events, padBytes } = this.spec;
    this.connections = Array.from({ length: connections }, async () => {
      while (this.running) {
        if (kind === 'bursts') await this.chat.stream({ events, intervalMs: 0, padBytes });
        else await this.chat.whole(bodyBytes);
      }
    });
    return Promise.resolve();
  }

  async finish(): Promise<void> {
    this.running = false;
    await Promise.all(this.connections);
  }
}

/**
 * The next time at which a timer of Node can fire: they count whole milliseconds of the system's clock. A request that is due between two of
 * them would always be late, by half a millisecond on average, which has nothing to do with the target.
 */
function timerTick(ms: number): number {
  const clockMs = monotonicMicros() / 1_000 - performance.now();
  return Math.ceil(ms + clockMs) - clockMs;
}

/** Sends on a fixed schedule, whether or not earlier requests have finished: no coordinated omission. */
class Schedule implements Load {
  private running = true;
  private ticking: Promise<void> = Promise.resolve();
  private readonly open = new Set<Promise<void>>();

  constructor(
    private readonly intervalMs: number,
    private readonly send: (dueAtMs: number) => Promise<void>,
  ) {}

  start(): Promise<void> {
    this.ticking = this.tick();
    return Promise.resolve();
  }

  async finish(): Promise<void> {
    this.running = false;
    await this.ticking;
    await Promise.all(this.open);
  }

  private async tick(): Promise<void> {
    const startMs = performance.now();
    let count = 0;
    let dueAtMs = timerTick(startMs);
    while (this.running) {
      for (; dueAtMs <= performance.now(); dueAtMs = timerTick(startMs + count * this.intervalMs)) {
        count += 1;
        const sent = this.send(dueAtMs).finally(() => this.open.delete(sent));
        this.open.add(sent);
      }
      await delay(Math.max(1, dueAtMs - performance.now()));
    }
  }
}

class Stalled implements Load {
  private sockets: Socket[] = [];

  constructor(
    private readonly spec: StalledLoadSpec,
    private readonly destination: Destination,
  ) {}

  async start(): Promise<void> {
    const { connections, events, padBytes } = this.spec;
    const { hostname, port, pathname } = new URL(this.destination.url);
    const headers = Object.entries({ 'content-type': 'application/json', ...this.destination.headers });
    const body = streamBody({ events, intervalMs: 0, padBytes });
    const head = `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}content-length: ${body.length}\r\n\r\n`;
    for (let index = 0; index < connections; index += 1) {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.pause();
      await once(socket, 'connect');
      socket.write(head + body.toString('latin1'), 'latin1');
      this.sockets.push(socket);
    }
  }

  finish(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    return Promise.resolve();
  }
}

/** A slow upload extends its second, so that everything sent during it counts as beside an upload. */
class Uploads implements Load {
  private readonly streams: Streams;
  private running = true;
  private alternating: Promise<void> = Promise.resolve();

  constructor(
    private readonly spec: UploadsLoadSpec,
    private readonly chat: ChatClient,
    private readonly recorder: Recorder,
  ) {
    const { connections, intervalMs, lastsMs } = spec;
    this.streams = new Streams(
      {
        kind: 'streams',
        connections,
        rampMs: 500,
        intervalMs,
        lastsMs,
        padBytes: 20,
        probeIntervalMs: 0,
        probeEvents: 0,
      },
      chat,
    );
  }

  async start(): Promise<void> {
    await this.streams.start();
    this.alternating = this.alternate();
  }

  async finish(): Promise<void> {
    this.running = false;
    await this.alternating;
    await this.streams.finish();
  }

  private async alternate(): Promise<void> {
    while (this.running) {
      this.recorder.upload(true);
      await Promise.all([this.chat.whole(this.spec.bodyBytes), delay(SECOND_MS)]);
      this.recorder.upload(false);
      await delay(SECOND_MS);
    }
  }
}
