/** Five relays, and a node with a link to three of them: requests at the others are passed on to one of the three. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { usageOf } from '../../bench/measure/process-usage.js';
import { eventually } from '../support/clock/eventually.js';
import { dataOf } from '../support/client/event-stream.js';
import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import { RelayGroup } from '../support/process/relay-group.js';
import { TestNode } from '../support/process/test-node.js';
import type { TestRelay } from '../support/process/test-relay.js';

const RELAYS = 5;
const HOMES = 3;
const SLOTS = 16;
const MEBIBYTE = 1_048_576;
const hello = { model: 'fake', messages: [{ role: 'user', content: 'hi' }] };

/** A stream that fails breaks off after its error event. */
async function eventsOfEither(response: Response): Promise<string[]> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      text += decoder.decode(chunk, { stream: true });
  } catch {
    // Its last event says why.
  }
  return text.split('\n\n').filter((event) => event !== '');
}

describe('requests at relays that are no home of the node', () => {
  let relays: RelayGroup;
  let engine: FakeEngine;
  let node: TestNode;
  let homes: readonly TestRelay[];
  let ingresses: readonly TestRelay[];

  const statusAt = async (relay: TestRelay): Promise<number> => {
    const response = await relay.chat(hello);
    await response.text();
    return response.status;
  };
  /** A stream that runs until the test ends its call, and whose head has arrived: before that, its failure would be a status. */
  const begin = async (relay: TestRelay): Promise<{ call: FakeCall; events: Promise<string[]> }> => {
    const arrived = engine.nextCall();
    const response = await relay.chat({ ...hello, stream: true });
    return { call: await arrived, events: eventsOfEither(response) };
  };

  beforeAll(async () => {
    relays = await RelayGroup.start(RELAYS, {}, HOMES);
    await relays.connected();
    homes = relays.relays.slice(0, HOMES);
    ingresses = relays.relays.slice(HOMES);
    engine = await FakeEngine.start();
    engine.respond = (call) => {
      if (!call.streaming) call.completion('Hello.');
      else {
        call.startStream();
        call.chunk({ role: 'assistant', content: 'Hello' });
      }
    };
    node = await TestNode.start(relays.at(0), {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: SLOTS }],
    });
    for (const relay of relays.relays)
      await eventually(`${relay.baseUrl} serves the node`, async () => (await statusAt(relay)) === 200, 20_000);
  }, 180_000);
  afterAll(async () => {
    await node.stop();
    await engine.stop();
    await relays.stop();
  }, 60_000);

  it('succeed while five clients ask at once', async () => {
    const statuses = await Promise.all(
      ingresses.flatMap((relay) =>
        Array.from({ length: 5 }, async () => {
          const found: number[] = [];
          while (found.length < 20) found.push(await statusAt(relay));
          return found;
        }),
      ),
    );
    expect(new Set(statuses.flat())).toEqual(new Set([200]));
  }, 60_000);

  it('requests at relays that are no home of the node hold little memory at both relays while the client does not read', async () => {
    const typical = engine.respond;
    const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x'.repeat(60_000) } }] })}\n\n`;
    let sentBytes = 0;
    engine.respond = async (call) => {
      call.startStream();
      while (sentBytes < 256 * MEBIBYTE && !call.over) {
        sentBytes += event.length;
        if (!call.write(event)) await call.drained();
      }
    };
    const residentBytes = (): number => usageOf(relays.relays.map(({ pid }) => pid)).residentBytes;
    const before = residentBytes();
    const client = new AbortController();
    const arrived = engine.nextCall();
    const response = await ingresses[0]!.chat({ ...hello, stream: true }, { signal: client.signal });
    expect(response.status).toBe(200);
    const call = await arrived;
    let sentBefore = -1;
    await eventually('the engine has to wait', async () => {
      sentBefore = sentBytes;
      await delay(500);
      return sentBytes === sentBefore;
    });
    expect(sentBytes).toBeLessThan(32 * MEBIBYTE);
    expect(residentBytes() - before).toBeLessThan(64 * MEBIBYTE);
    client.abort();
    await call.aborted;
    engine.respond = typical;
  }, 60_000);

  it('requests at relays that are no home of the node go on when a home is killed, and only its streams end, with an error event', async () => {
    const [ingress, other] = ingresses as [TestRelay, TestRelay];
    const streams: Awaited<ReturnType<typeof begin>>[] = [];
    while (streams.length < 6) streams.push(await begin(ingress));
    await homes[1]!.process.stop('SIGKILL');
    const killedMs = performance.now();
    const statuses: number[] = [];
    const client = async (relay: TestRelay): Promise<void> => {
      while (performance.now() - killedMs < 12_000) statuses.push(await statusAt(relay));
    };
    await Promise.all([client(ingress), client(other), client(homes[0]!)]);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    // What its owner has lost is cancelled at the engine by the node.
    const lost = streams.filter(({ call }) => call.gone);
    expect(lost).toHaveLength(2);
    for (const { call } of streams) if (!call.gone) call.finish();
    for (const { call, events } of streams) {
      const texts = await events;
      if (!call.gone) expect(texts.at(-1)).toBe('data: [DONE]');
      else expect(dataOf(texts).at(-1)).toMatchObject({ error: { code: 'node_disconnected' } });
    }
  }, 60_000);
});
