// Own relay: its settings hold it for overloaded at once.
/** An overloaded relay refuses new requests and finishes those that run (docs/reference/limits.md#overload). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

const messages = [{ role: 'user', content: 'hello' }];

describe('a relay whose heap is above its limit', () => {
  let relay: TestRelay;
  let engine: FakeEngine;
  let node: TestNode;

  beforeAll(async () => {
    // Any process uses more than one percent of the heap that it may use.
    relay = await TestRelay.start({
      env: { FERRY_OVERLOAD_HEAP_PERCENT: '1', NODE_OPTIONS: '--max-old-space-size=1024' },
    });
    engine = await FakeEngine.start();
    node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 4 }] });
  }, 60_000);

  afterAll(async () => {
    await node.stop();
    await relay.stop();
    await engine.stop();
  }, 30_000);

  const degraded = async (): Promise<readonly string[]> => {
    const response = await fetch(`${relay.baseUrl}/readyz`);
    expect(response.status).toBe(200);
    return ((await response.json()) as { readonly degraded?: readonly string[] }).degraded ?? [];
  };

  it('refuses new requests while one runs, completes that one, and then accepts again', async () => {
    let running: FakeCall | undefined;
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: 'begun' });
      running = call;
      return Promise.resolve();
    };
    const streamed = await relay.chat({ model: 'fake', stream: true, messages });
    expect(streamed.status).toBe(200);
    const text = streamed.text();

    const refused = await eventually('a new request is refused', async () => {
      if (!(await degraded()).includes('load')) return undefined;
      return relay.chat({ model: 'fake', messages });
    });
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(5);
    expect(await refused.json()).toMatchObject({ error: { code: 'overloaded' } });

    running?.chunk({ content: ' and ended' });
    running?.finish();
    expect(await text).toContain('and ended');
    expect(await text).toContain('[DONE]');

    await eventually('the relay accepts requests', async () => (await degraded()).length === 0);
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: 'again' });
      call.finish();
      return Promise.resolve();
    };
    expect(await (await relay.chat({ model: 'fake', stream: true, messages })).text()).toContain('again');
  }, 60_000);
});
