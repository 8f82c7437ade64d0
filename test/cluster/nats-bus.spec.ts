/** The bus between replicas on a real `nats-server`. */
import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ReplicaId } from '../../src/kernel/ids.js';
import { NatsTransport } from '../../src/relay/replicas/bus/nats-transport.js';
import type { BusStatus } from '../../src/relay/replicas/bus/bus-transport.js';
import { eventually } from '../support/clock/eventually.js';
import {
  describeMessageBus,
  double,
  numbers,
  startReplica,
  type TestReplica,
} from '../support/replicas/message-bus.contract.js';
import { NatsServer } from '../support/replicas/nats-server.js';

const PENDING_LIMIT_BYTES = 1_048_576;
const PING_INTERVAL_MS = 3_000;

const transportTo =
  (address: string, extra: { subjectPrefix?: string } = {}) =>
  (replicaId: ReplicaId): NatsTransport =>
    new NatsTransport({
      replicaId,
      address,
      purpose: 'test',
      subjectPrefix: 'ferry',
      pingIntervalMs: PING_INTERVAL_MS,
      connectTimeoutMs: 2_000,
      pendingLimitBytes: PENDING_LIMIT_BYTES,
      ...extra,
    });

const openSockets = (): number => readdirSync('/proc/self/fd').length;

describe('the bus on NATS', () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await NatsServer.start();
  });
  afterAll(() => server.kill());
  describeMessageBus((id) => transportTo(server.address)(id));
});

describe('the bus and its server', () => {
  let server: NatsServer;
  const replicas: TestReplica[] = [];
  let one: TestReplica;
  let two: TestReplica;
  let heard: number[];
  let statuses: BusStatus[];

  beforeEach(async () => {
    Logger.overrideLogger(false);
    server = await NatsServer.start();
    one = await startReplica(transportTo(server.address), replicas);
    two = await startReplica(transportTo(server.address), replicas);
    heard = [];
    two.bus.subscribe(numbers, ({ n }) => void heard.push(n));
    statuses = [];
    one.bus.status$.subscribe((status) => statuses.push(status));
    await works();
  });
  afterEach(async () => {
    server.resume();
    await Promise.all(replicas.splice(0).map(({ bus }) => bus.close()));
    await server.kill();
  });

  /** Message 0 arrives. */
  const works = async (): Promise<void> => {
    const before = heard.length;
    await eventually('a message arrives', () => {
      if (one.bus.status === 'connected') one.bus.publish(numbers, { n: 0 });
      return heard.length > before;
    });
  };
  const disconnected = (withinMs: number): Promise<true> =>
    eventually('disconnected', () => one.bus.status === 'disconnected' && two.bus.status === 'disconnected', withinMs);

  it('refuses messages while the server is gone, and never sends them later', async () => {
    await server.kill();
    await disconnected(2_000);
    const begin = performance.now();
    for (let n = 1; n <= 100; n += 1) expect(one.bus.publish(numbers, { n })).toBe(false);
    expect(await one.bus.request(two.id, double, { n: 1 }, 5_000)).toEqual({ ok: false, reason: 'disconnected' });
    expect(performance.now() - begin).toBeLessThan(500);
    // Refused during the attempts to connect, too.
    await delay(1_000);
    expect(one.bus.publish(numbers, { n: 101 })).toBe(false);

    await server.restart();
    await works();
    expect(heard.filter((n) => n > 0)).toEqual([]);
  });

  it('connects again with all subscriptions, however often the server is killed', async () => {
    two.bus.respond(double, ({ n }) => ({ n: 2 * n }));
    for (let round = 1; round <= 3; round += 1) {
      await server.kill();
      await disconnected(2_000);
      await delay(300 * round);
      await server.restart();
      await works();
      expect(await one.bus.request(two.id, double, { n: round }, 5_000)).toEqual({ ok: true, reply: { n: 2 * round } });
    }
    expect(statuses).toEqual(['connected', ...Array.from({ length: 3 }, () => ['disconnected', 'connected']).flat()]);
  });

  it('ends a request when the connection is lost, before its deadline', async () => {
    two.bus.respond(double, () => new Promise(() => undefined));
    await works();
    const response = one.bus.request(two.id, double, { n: 1 }, 60_000);
    await delay(100);
    await server.kill();
    expect(await response).toEqual({ ok: false, reason: 'disconnected' });
  });

  it('finds a frozen server within 10 s, and refuses messages before that', async () => {
    server.freeze();
    const begin = performance.now();
    await eventually('degraded', () => one.bus.status === 'degraded', 2 * PING_INTERVAL_MS + 1_000);
    expect(one.bus.publish(numbers, { n: 1 })).toBe(false);
    await disconnected(10_000);
    expect(performance.now() - begin).toBeLessThan(10_000);

    // Attempts to connect to it time out one after the other, and none leaves a socket behind.
    await delay(2_500);
    const before = openSockets();
    await delay(6_000);
    expect(openSockets()).toBeLessThanOrEqual(before + 1);

    server.resume();
    await works();
    expect(heard.filter((n) => n > 0)).toEqual([]);
    expect(statuses).toEqual(['connected', 'degraded', 'disconnected', 'connected']);
  }, 60_000);

  it('keeps a bounded number of bytes for a server that does not read, and does not wait for it', async () => {
    server.freeze();
    const text = 'x'.repeat(10_000);
    const big = { name: 'test.big', payload: numbers.payload.extend({}) };
    let accepted = 0;
    for (let at = 0; at < 3_000; at += 1) if (one.bus.publish(big, { n: 1, text } as { n: number })) accepted += 1;
    expect(accepted * text.length).toBeLessThanOrEqual(PENDING_LIMIT_BYTES);
    expect(accepted * text.length).toBeGreaterThan(PENDING_LIMIT_BYTES * 0.9);
    expect(one.bus.counters.refused).toBe(3_000 - accepted);
    await disconnected(10_000);
    server.resume();
    await works();
  }, 30_000);

  it('refuses a message that is larger than the server accepts, and sends the next', async () => {
    const text = 'x'.repeat(1_048_577);
    expect(one.bus.publish(numbers, { n: 1, text } as { n: number })).toBe(false);
    await works();
  });

  it('accepts more as soon as the server has confirmed what it has', async () => {
    const text = 'x'.repeat(5_000);
    for (let n = 1; n <= 2_000; n += 1)
      await eventually('room', () => one.bus.publish(numbers, { n, text } as { n: number }));
    await eventually('all', () => heard.at(-1) === 2_000);
    expect(heard.filter((n) => n > 0)).toHaveLength(2_000);
  });

  it('keeps installations with different prefixes apart', async () => {
    const other = await startReplica(transportTo(server.address, { subjectPrefix: 'other' }), replicas);
    expect(other.bus.publish(numbers, { n: 1 })).toBe(true);
    expect(await other.bus.request(two.id, double, { n: 1 }, 1_000)).toEqual({ ok: false, reason: 'unreachable' });
    await works();
    expect(heard.filter((n) => n > 0)).toEqual([]);
  });

  it('closes within a second, also while it cannot connect', async () => {
    server.freeze();
    const lonely = new NatsTransport({
      replicaId: one.id,
      address: server.address,
      purpose: 'test',
      subjectPrefix: 'ferry',
      pingIntervalMs: PING_INTERVAL_MS,
      connectTimeoutMs: 2_000,
      pendingLimitBytes: PENDING_LIMIT_BYTES,
    });
    await delay(200);
    const begin = performance.now();
    await lonely.close();
    expect(performance.now() - begin).toBeLessThan(1_000);
  });
});

describe('a server with passwords', () => {
  let server: NatsServer;
  const replicas: TestReplica[] = [];
  const logged: string[] = [];
  beforeAll(async () => {
    server = await NatsServer.start('--user', 'ferry', '--pass', 'p@ss:word');
    Logger.overrideLogger({
      log: () => undefined,
      error: (message: string) => logged.push(message),
      warn: (message: string) => logged.push(message),
    });
  });
  afterAll(async () => {
    Logger.overrideLogger(false);
    await Promise.all(replicas.splice(0).map(({ bus }) => bus.close()));
    await server.kill();
  });

  it('accepts the credentials of the address', async () => {
    await startReplica(transportTo(`nats://ferry:${encodeURIComponent('p@ss:word')}@${server.host}`), replicas);
  });

  it('refuses others, which the log says without repeating them', async () => {
    const transport = transportTo(`nats://ferry:hunter2@${server.host}`)(replicas[0]!.id);
    await eventually('a refusal in the log', () => logged.some((line) => line.includes('Authorization Violation')));
    expect(transport.status).toBe('disconnected');
    expect(logged.join()).not.toMatch(/hunter2|127\.0\.0\.1/);
    await transport.close();
  });
});
