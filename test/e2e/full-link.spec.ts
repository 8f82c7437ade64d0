// Own relay: its settings let a link have two requests at a time.
/** A node with as many requests on its link as it may have is full like one without slots (docs/reference/api-behaviour.md#order-of-checks). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

const MAX_STREAMS = 2;
const ask = (content: string) => ({ model: 'fake', messages: [{ role: 'user', content }] });

describe('a node whose link is full although its engine is not', () => {
  let relay: TestRelay;
  let engine: FakeEngine;
  let node: TestNode;

  beforeAll(async () => {
    relay = await TestRelay.start({
      env: { FERRY_LINK_MAX_STREAMS: String(MAX_STREAMS), FERRY_QUEUE_LIMIT: '1' },
    });
    engine = await FakeEngine.start();
    node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 8 }] });
  }, 60_000);

  afterAll(async () => {
    await node.stop();
    await relay.stop();
    await engine.stop();
  }, 30_000);

  it('lets the next request wait, refuses one that finds the queue full with 429, and serves all that it took', async () => {
    const calls: FakeCall[] = [];
    engine.respond = (call) => void calls.push(call);
    const running = [relay.chat(ask('one')), relay.chat(ask('two'))];
    await eventually('both run', () => calls.length === MAX_STREAMS);
    const waiting = relay.chat(ask('three'));
    await eventually('the third waits', async () => {
      const { data } = await relay.manage<{ data: readonly object[] }>('GET', '/requests/running');
      return data.length === MAX_STREAMS + 1;
    });
    const refused = await relay.chat(ask('four'));
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { code: 'capacity' } });
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(calls).toHaveLength(MAX_STREAMS);
    engine.respond = (call) => call.completion('served');
    for (const call of calls) call.completion('served');
    for (const response of [...running, waiting]) expect((await response).status).toBe(200);
  }, 60_000);
});
