/**
 * A node with its only link to one of two relays, and requests at the other one: they are passed on over a real `nats-server`
 * (docs/internals/link-protocol.md#8-between-replicas).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { Vllm } from '../engines/fakes/vllm.js';
import { allEvents, dataOf, eventsOf } from '../support/client/event-stream.js';
import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import { RelayGroup } from '../support/process/relay-group.js';
import { TestNode } from '../support/process/test-node.js';
import type { TestRelay } from '../support/process/test-relay.js';

const SLOTS = 2;
const hello = { model: 'fake', messages: [{ role: 'user', content: 'hi' }] };

interface Explained {
  readonly decisions: readonly { readonly candidates: readonly { readonly parts: Record<string, number> }[] }[];
}

describe('requests at a relay without a link to the node', () => {
  let relays: RelayGroup;
  /** Has the node. */
  let owner: TestRelay;
  /** Has the client. */
  let ingress: TestRelay;
  let engine: FakeEngine;
  let node: TestNode;

  const responsesAt = async (relay: TestRelay): Promise<boolean> => {
    const response = await relay.chat(hello);
    await response.body?.cancel();
    return response.ok;
  };
  const served = (relay: TestRelay, withinMs = 20_000): Promise<unknown> =>
    eventually(`requests are served at ${relay.baseUrl}`, () => responsesAt(relay), withinMs);

  /** A stream whose first event has arrived, and which runs until the test ends its call. */
  const begin = async (relay: TestRelay): Promise<{ call: FakeCall; rest: Promise<string[]> }> => {
    engine.respond = (call) => {
      if (!call.streaming) call.completion('Hello.');
      else {
        call.startStream();
        call.chunk({ role: 'assistant', content: 'Hello' });
      }
    };
    const arrived = engine.nextCall();
    const response = await relay.chat({ ...hello, stream: true });
    expect(response.status).toBe(200);
    const events = eventsOf(response);
    const first = await events.next();
    expect(first).toMatchObject({ value: { text: expect.stringContaining('Hello') } });
    const rest = (async () => {
      const texts: string[] = [];
      for await (const { text } of events) texts.push(text);
      return texts;
    })();
    return { call: await arrived, rest };
  };

  const expectError = async (rest: Promise<string[]>): Promise<void> => {
    const events = await rest;
    expect(events).not.toContain('data: [DONE]');
    expect(dataOf(events).at(-1)).toMatchObject({ error: { code: 'node_disconnected' } });
  };

  beforeAll(async () => {
    relays = await RelayGroup.start(2, { FERRY_LINK_MAX_LINKS: '1' });
    owner = relays.at(0);
    ingress = relays.at(1);
    engine = await FakeEngine.start();
    node = await TestNode.start(owner, {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: SLOTS }],
    });
    await served(ingress);
  }, 120_000);
  afterAll(async () => {
    await node.stop();
    await engine.stop();
    await relays.stop();
  }, 60_000);
  beforeEach(() => {
    engine.respond = (call) => {
      if (call.streaming) call.finishEmptyStream();
      else call.completion('Hello.');
    };
  });

  it('lists the models of the node', async () => {
    const { data } = (await (await ingress.fetch('/v1/models')).json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(['fake']);
  });

  it('answers as a whole', async () => {
    const response = await ingress.chat(hello);
    expect(await response.json()).toMatchObject({
      model: 'fake',
      choices: [{ message: { content: 'Hello.' } }],
      usage: { total_tokens: 5 },
    });
  });

  it('streams every event, in order', async () => {
    const words = Array.from({ length: 5_000 }, (_unused, index) => `word-${index} `);
    engine.respond = async (call) => {
      call.startStream();
      for (const content of words) if (!call.chunk({ content })) await call.drained();
      call.finish();
    };
    const events = await allEvents(await ingress.chat({ ...hello, stream: true }));
    const contents = dataOf(events).flatMap(({ choices }) =>
      (choices as { delta: { content?: string } }[]).flatMap(({ delta }) => delta.content ?? []),
    );
    expect(contents.join('')).toBe(words.join(''));
    expect(events.at(-1)).toBe('data: [DONE]');
  });

  it('carries a body of 12 MB to the engine', async () => {
    const content = 'x'.repeat(12_000_000);
    const arrived = engine.nextCall();
    const response = await ingress.chat({ ...hello, messages: [{ role: 'user', content }] });
    expect(response.status).toBe(200);
    expect((await arrived).body).toMatchObject({ messages: [{ content }] });
  });

  it('stops the engine within a second when the client leaves', async () => {
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: 'Hello' });
    };
    const client = new AbortController();
    const arrived = engine.nextCall();
    const response = await ingress.chat({ ...hello, stream: true }, { signal: client.signal });
    await response.body?.getReader().read();
    const leftMs = performance.now();
    client.abort();
    expect((await (await arrived).aborted) - leftMs).toBeLessThan(1_000);
  });

  it('waits for a slot at the node, which both relays share', async () => {
    const first = await begin(ingress);
    const second = await begin(owner);
    const calls = engine.calls.length;
    const waiting = ingress.chat({ ...hello, stream: true }).then(allEvents);
    await delay(1_000);
    expect(engine.calls).toHaveLength(calls);
    const arrived = engine.nextCall();
    second.call.finish();
    (await arrived).finish();
    first.call.finish();
    for (const events of [await waiting, await first.rest, await second.rest])
      expect(events.at(-1)).toBe('data: [DONE]');
  });

  it('expects a later answer of an engine that others keep busy, as its node tells the owner', async () => {
    const vllm = await Vllm.start();
    const busy = await TestNode.start(owner, {
      engines: [{ kind: 'vllm', base_url: vllm.server.url, poll_ms: 200, slots: SLOTS }],
    });
    const partsAt = async (relay: TestRelay): Promise<Record<string, number> | undefined> => {
      const response = await relay.chat({ ...hello, model: 'assistant' });
      await response.text();
      if (!response.ok) return undefined;
      const id = response.headers.get('x-request-id') ?? '';
      const { decisions } = await relay.manage<Explained>('GET', `/requests/${id}`);
      return decisions[0]?.candidates[0]?.parts;
    };
    const idle = await eventually('it is served', () => partsAt(ingress), 20_000);
    expect(idle['queue_ms']).toBe(0);
    vllm.load = { running: 2, waiting: 12 };
    await eventually('its queue is known', async () => ((await partsAt(ingress))?.['queue_ms'] ?? 0) > 0, 10_000);
    vllm.load = { running: 0, waiting: 0 };
    await eventually('it is idle again', async () => (await partsAt(ingress))?.['queue_ms'] === 0, 10_000);
    await busy.stop();
    await vllm.server.stop();
  }, 60_000);

  it('ends a stream with an error event when NATS is killed, and goes on when it is back', async () => {
    const passedOn = await begin(ingress);
    const local = await begin(owner);
    await relays.nats.kill();
    await expectError(passedOn.rest);
    await passedOn.call.aborted;
    // The owner serves its own clients meanwhile.
    expect(await responsesAt(owner)).toBe(true);
    local.call.finish();
    expect((await local.rest).at(-1)).toBe('data: [DONE]');
    expect((await ingress.chat(hello)).status).toBe(503);
    await relays.nats.restart();
    await served(ingress, 5_000);
  }, 30_000);

  it('ends a stream with an error event within 10 s when its owner is killed, and goes on when it is back', async () => {
    const passedOn = await begin(ingress);
    const killedMs = performance.now();
    await owner.process.stop('SIGKILL');
    await expectError(passedOn.rest);
    expect(performance.now() - killedMs).toBeLessThan(10_000);
    await owner.restart();
    ingress.credentials = { ...owner.credentials, base_url: ingress.baseUrl };
    await served(ingress, 30_000);
  }, 60_000);
});
