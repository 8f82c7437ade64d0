/** The kinds of load. `start` resolves when the load is what it is meant to be, `finish` when all that was asked for is answered. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { streamBody, type ChatClient } from './chat-client.js';
import type { ClosedLoopOrder, Destination, Order, StalledOrder, StreamsOrder, UploadsOrder } from './orders.js';
import type { Recorder } from './recorder.js';

const SECOND_MS = 1_000;

export interface Load {
  start(): Promise<void>;
  finish(): Promise<void>;
}

export function createLoad(order: Order, chat: ChatClient, recorder: Recorder, destination: Destination): Load {
  switch (order.kind) {
    case 'streams':
      return new Streams(order, chat);
    case 'requests':
    case 'bursts':
      return new ClosedLoop(order, chat);
    case 'schedule':
      return new Schedule(1_000 / order.perSecond, (dueAtMs) => chat.get(order.path, dueAtMs));
    case 'stalled':
      return new Stalled(order, destination);
    case 'uploads':
      return new Uploads(order, chat, recorder);
    case 'rest':
      return { start: () => Promise.resolve(), finish: () => Promise.resolve() };
  }
}

class Streams implements Load {
  private readonly running: Promise<void>[] = [];
  private readonly probes: Schedule | undefined;

  constructor(
    private readonly order: StreamsOrder,
    private readonly chat: ChatClient,
  ) {
    const probe = { events: 1, intervalMs: 0, padBytes: order.padBytes };
    if (order.probeIntervalMs > 0)
      this.probes = new Schedule(order.probeIntervalMs, (dueAt) => chat.stream(probe, dueAt));
  }

  async start(): Promise<void> {
    const { connections, rampMs, lastsMs, intervalMs, padBytes } = this.order;
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
  private going = true;
  private connections: Promise<void>[] = [];

  constructor(
    private readonly order: ClosedLoopOrder,
    private readonly chat: ChatClient,
  ) {}

  start(): Promise<void> {
    const { kind, connections, bodyBytes, events, padBytes } = this.order;
    this.connections = Array.from({ length: connections }, async () => {
      while (this.going) {
        if (kind === 'bursts') await this.chat.stream({ events, intervalMs: 0, padBytes });
        else await this.chat.whole(bodyBytes);
      }
    });
    return Promise.resolve();
  }

  async finish(): Promise<void> {
    this.going = false;
    await Promise.all(this.connections);
  }
}

/** Due at fixed times, whatever became of those before: no coordinated omission. */
class Schedule implements Load {
  private going = true;
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
    this.going = false;
    await this.ticking;
    await Promise.all(this.open);
  }

  private async tick(): Promise<void> {
    let dueAtMs = performance.now();
    while (this.going) {
      for (; dueAtMs <= performance.now(); dueAtMs += this.intervalMs) {
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
    private readonly order: StalledOrder,
    private readonly destination: Destination,
  ) {}

  async start(): Promise<void> {
    const { connections, events, padBytes } = this.order;
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

/** A slow upload is not waited for: its second goes on until it is done. */
class Uploads implements Load {
  private readonly streams: Streams;
  private going = true;
  private alternating: Promise<void> = Promise.resolve();

  constructor(
    private readonly order: UploadsOrder,
    private readonly chat: ChatClient,
    private readonly recorder: Recorder,
  ) {
    const { connections, intervalMs, lastsMs } = order;
    this.streams = new Streams(
      { kind: 'streams', connections, rampMs: 500, intervalMs, lastsMs, padBytes: 20, probeIntervalMs: 0 },
      chat,
    );
  }

  async start(): Promise<void> {
    await this.streams.start();
    this.alternating = this.alternate();
  }

  async finish(): Promise<void> {
    this.going = false;
    await this.alternating;
    await this.streams.finish();
  }

  private async alternate(): Promise<void> {
    while (this.going) {
      this.recorder.upload(true);
      await Promise.all([this.chat.whole(this.order.bodyBytes), delay(SECOND_MS)]);
      this.recorder.upload(false);
      await delay(SECOND_MS);
    }
  }
}
