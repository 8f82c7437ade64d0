import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { createReplicaId, type ReplicaId } from '../../../src/kernel/ids.js';
import type { BusTransport } from '../../../src/relay/replicas/bus/bus-transport.js';
import { MessageBus, type MessageBusLimits } from '../../../src/relay/replicas/bus/message-bus.js';
import { eventually } from '../clock/eventually.js';

export const numbers = { name: 'test.numbers', payload: z.object({ n: z.number() }) };
const texts = { name: 'test.texts', payload: z.object({ text: z.string() }) };
/** The topic of `numbers` in another version of the relay. */
const otherNumbers = { name: 'test.numbers', payload: z.object({ n: z.string() }) };
export const double = { name: 'test.double', request: z.object({ n: z.number() }), reply: z.object({ n: z.number() }) };
const otherDouble = { name: 'test.double', request: z.object({ n: z.number() }), reply: z.object({ n: z.string() }) };

const limits: MessageBusLimits = { busQueueMessages: 100, busConcurrentReplies: 4, busOutstandingRequests: 50 };

export interface TestReplica {
  readonly id: ReplicaId;
  readonly bus: MessageBus;
}

export async function startReplica(
  transport: (id: ReplicaId) => BusTransport,
  replicas: TestReplica[],
): Promise<TestReplica> {
  const id = createReplicaId();
  const bus = new MessageBus(transport(id), limits);
  replicas.push({ id, bus });
  await eventually('connected to the bus', () => bus.status === 'connected');
  return { id, bus };
}

/** What every bus does. @param transport of one replica; all those of a test are connected to each other */
export function describeMessageBus(transport: (id: ReplicaId) => BusTransport): void {
  const replicas: TestReplica[] = [];
  let one: TestReplica;
  let two: TestReplica;
  let three: TestReplica;

  /** Messages before it have reached the server with their subscriptions, so that nothing is missed. */
  const settleSubscriptions = async (): Promise<void> => {
    const heard = new Set<ReplicaId>();
    const probe = { name: 'test.probe', payload: z.object({ id: z.string() }) };
    const ends = replicas.map(({ bus }) => bus.subscribe(probe, (_, from) => void heard.add(from)));
    await eventually('subscriptions', () => {
      for (const { bus, id } of replicas) bus.publish(probe, { id });
      return heard.size === replicas.length;
    });
    for (const end of ends) end();
  };

  beforeEach(async () => {
    Logger.overrideLogger(false);
    one = await startReplica(transport, replicas);
    two = await startReplica(transport, replicas);
    three = await startReplica(transport, replicas);
  });
  afterEach(async () => {
    await Promise.all(replicas.splice(0).map(({ bus }) => bus.close()));
  });

  describe('a message to all', () => {
    it('reaches all other replicas with its sender, and not the sender', async () => {
      const heard: string[] = [];
      for (const { bus, id } of replicas)
        bus.subscribe(numbers, ({ n }, from) => void heard.push(`${id} ${n} from ${from}`));
      await settleSubscriptions();
      expect(one.bus.publish(numbers, { n: 7 })).toBe(true);
      await eventually('both have it', () => heard.length >= 2);
      await settleSubscriptions();
      expect(heard.sort()).toEqual([`${two.id} 7 from ${one.id}`, `${three.id} 7 from ${one.id}`].sort());
    });

    it('a message to all is not delivered inside publish', async () => {
      const heard: number[] = [];
      two.bus.subscribe(numbers, ({ n }) => void heard.push(n));
      await settleSubscriptions();
      one.bus.publish(numbers, { n: 1 });
      expect(heard).toEqual([]);
      await eventually('delivered', () => heard.length === 1);
    });

    it('reaches only subscribers of its topic, until they unsubscribe', async () => {
      const heard: unknown[] = [];
      two.bus.subscribe(texts, (payload) => void heard.push(payload));
      const end = two.bus.subscribe(numbers, (payload) => void heard.push(payload));
      await settleSubscriptions();
      one.bus.publish(numbers, { n: 1 });
      await eventually('the number', () => heard.length === 1);
      end();
      await settleSubscriptions();
      one.bus.publish(numbers, { n: 2 });
      one.bus.publish(texts, { text: 'last' });
      await eventually('the text', () => heard.length === 2);
      expect(heard).toEqual([{ n: 1 }, { text: 'last' }]);
    });
  });

  it('delivers messages to one and to all in the order of their publisher', async () => {
    const heard = new Map<ReplicaId, number[]>();
    three.bus.subscribe(numbers, ({ n }, from) => {
      heard.set(from, [...(heard.get(from) ?? []), n]);
    });
    await settleSubscriptions();
    const count = 2_000;
    for (let n = 0; n < count; n += 1) {
      for (const { bus } of [one, two]) bus.publish(numbers, { n }, n % 3 === 0 ? three.id : undefined);
      if (n % 100 === 0) await delay(0);
    }
    await eventually('all messages', () => heard.get(one.id)?.length === count && heard.get(two.id)?.length === count);
    const inOrder = Array.from({ length: count }, (_, n) => n);
    expect(heard.get(one.id)).toEqual(inOrder);
    expect(heard.get(two.id)).toEqual(inOrder);
  });

  it('delivers a message to one replica to no other', async () => {
    const heard: ReplicaId[] = [];
    for (const { bus, id } of replicas) bus.subscribe(numbers, () => void heard.push(id));
    await settleSubscriptions();
    one.bus.publish(numbers, { n: 1 }, two.id);
    one.bus.publish(numbers, { n: 2 }, one.id);
    await settleSubscriptions();
    await eventually('delivered', () => heard.length > 0);
    expect(heard).toEqual([two.id]);
  });

  describe('a handler', () => {
    it('never gets an invalid message, which is counted', async () => {
      const heard: number[] = [];
      two.bus.subscribe(numbers, ({ n }) => void heard.push(n));
      await settleSubscriptions();
      one.bus.publish(otherNumbers, { n: 'seven' });
      one.bus.publish(numbers, { n: 8 });
      await eventually('the valid message', () => heard.length > 0);
      expect(heard).toEqual([8]);
      expect(two.bus.counters.invalid).toBe(1);
    });

    it('a handler that throws or rejects gets the next message all the same', async () => {
      const heard: number[] = [];
      two.bus.subscribe(numbers, ({ n }) => {
        heard.push(n);
        if (n === 1) throw new Error('broken');
        return n === 2 ? Promise.reject(new Error('broken later')) : undefined;
      });
      await settleSubscriptions();
      for (const n of [1, 2, 3]) one.bus.publish(numbers, { n });
      await eventually('all three', () => heard.length === 3);
      expect(two.bus.counters.failed).toBe(2);
    });

    it('a handler that is slow gets messages in order, one at a time, and loses what its queue cannot hold', async () => {
      const heard: number[] = [];
      let running = 0;
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      two.bus.subscribe(numbers, async ({ n }) => {
        running += 1;
        expect(running).toBe(1);
        heard.push(n);
        await released;
        running -= 1;
      });
      await settleSubscriptions();
      const extra = 30;
      for (let n = 0; n <= limits.busQueueMessages + extra; n += 1) one.bus.publish(numbers, { n });
      await eventually('dropped messages', () => two.bus.counters.dropped === extra);
      release();
      await eventually('the queue', () => heard.length === limits.busQueueMessages + 1);
      expect(heard).toEqual(Array.from({ length: limits.busQueueMessages + 1 }, (_, n) => n));
      one.bus.publish(numbers, { n: 1_000 });
      await eventually('the next message', () => heard.at(-1) === 1_000);
    });
  });

  describe('a request', () => {
    it('a request is answered by the replica that it is for', async () => {
      two.bus.respond(double, ({ n }, from) => ({ n: from === one.id ? 2 * n : -1 }));
      three.bus.respond(double, () => ({ n: 0 }));
      await settleSubscriptions();
      expect(await one.bus.request(two.id, double, { n: 21 }, 5_000)).toEqual({ ok: true, reply: { n: 42 } });
    });

    it('a request to a replica that is not there, to oneself, and to one that answers none fails at once', async () => {
      one.bus.respond(double, ({ n }) => ({ n }));
      await settleSubscriptions();
      for (const id of [createReplicaId(), one.id, two.id])
        expect(await one.bus.request(id, double, { n: 1 }, 60_000)).toEqual({ ok: false, reason: 'unreachable' });
    });

    it('ends at its deadline, and a late answer is ignored', async () => {
      let response: (response: { n: number }) => void = () => undefined;
      two.bus.respond(double, () => new Promise((resolve) => (response = resolve)));
      await settleSubscriptions();
      const begin = performance.now();
      expect(await one.bus.request(two.id, double, { n: 1 }, 300)).toEqual({ ok: false, reason: 'timed_out' });
      expect(performance.now() - begin).toBeGreaterThan(290);
      response({ n: 2 });
      await settleSubscriptions();
      expect(one.bus.counters.invalid).toBe(0);
    });

    it('a request whose responder fails, or answers in another shape, fails', async () => {
      two.bus.respond(double, () => Promise.reject(new Error('broken')));
      three.bus.respond(otherDouble, () => ({ n: 'two' }));
      await settleSubscriptions();
      expect(await one.bus.request(two.id, double, { n: 1 }, 5_000)).toEqual({ ok: false, reason: 'failed' });
      expect(await one.bus.request(three.id, double, { n: 1 }, 5_000)).toEqual({ ok: false, reason: 'failed' });
      expect([two.bus.counters.failed, one.bus.counters.invalid]).toEqual([1, 1]);
    });

    it('a request is refused while the responder answers as many as it may, and while too many wait', async () => {
      const responses: ((response: { n: number }) => void)[] = [];
      two.bus.respond(double, () => new Promise((resolve) => responses.push(resolve)));
      await settleSubscriptions();
      const accepted = Array.from({ length: limits.busConcurrentReplies }, (_, n) =>
        one.bus.request(two.id, double, { n }, 10_000),
      );
      await eventually('requests under way', () => responses.length === limits.busConcurrentReplies);
      expect(await one.bus.request(two.id, double, { n: 9 }, 10_000)).toEqual({ ok: false, reason: 'overloaded' });
      for (const response of responses) response({ n: 1 });
      for (const response of await Promise.all(accepted)) expect(response).toEqual({ ok: true, reply: { n: 1 } });

      const replies = await Promise.all(
        Array.from({ length: limits.busOutstandingRequests + 1 }, (_, n) =>
          one.bus.request(createReplicaId(), double, { n }, 1_000),
        ),
      );
      expect(replies.at(-1)).toEqual({ ok: false, reason: 'overloaded' });
      expect(replies.filter((response) => !response.ok && response.reason === 'overloaded')).toHaveLength(1);
    });
  });

  it('refuses everything once it is closed', async () => {
    const heard: number[] = [];
    two.bus.subscribe(numbers, ({ n }) => void heard.push(n));
    two.bus.respond(double, ({ n }) => ({ n }));
    await settleSubscriptions();
    replicas.splice(
      replicas.findIndex(({ id }) => id === one.id),
      1,
    );
    one.bus.publish(numbers, { n: 1 });
    await one.bus.close();
    expect(one.bus.status).toBe('disconnected');
    expect(one.bus.publish(numbers, { n: 2 })).toBe(false);
    expect(one.bus.counters.refused).toBe(1);
    expect(await one.bus.request(two.id, double, { n: 1 }, 5_000)).toEqual({ ok: false, reason: 'disconnected' });
    await eventually('what was published before', () => heard.length > 0);
    await settleSubscriptions();
    expect(heard).toEqual([1]);
  });
}
