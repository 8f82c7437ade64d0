/**
 * What a client sees when the serving node is lost (docs/reference/request-lifecycle.md#phases,
 * docs/reference/request-lifecycle.md#at-most-once).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { eventually } from '../support/clock/eventually.js';
import { cutEventsOf, dataOf, eventsOf } from '../support/client/event-stream.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { inventoryOf, TestNode } from '../support/process/test-node.js';

const hello = { model: 'fake', messages: [{ role: 'user' as const, content: 'hi' }] };

describe('a killed node', () => {
  let relay: Tenant;
  let engine: FakeEngine;
  let node: TestNode;

  shareRelay((shared) => (relay = shared));

  beforeAll(async () => {
    engine = await FakeEngine.start();
    node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url }] });
  }, 60_000);

  beforeEach(async () => {
    if (node.process.child.killed) {
      await node.process.exited;
      await eventually('the relay noticed', async () => (await inventoryOf(relay)).length === 0);
      await node.run();
    }
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ role: 'assistant', content: 'Once upon' });
    };
  }, 60_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
  }, 30_000);

  it('a killed node during a stream ends it with an error frame and no [DONE]', async () => {
    const response = await relay.chat({ ...hello, stream: true });
    const texts: string[] = [];
    let killedAt = 0;
    let endedAt = 0;
    for await (const event of eventsOf(response)) {
      texts.push(event.text);
      endedAt = event.atMs;
      if (texts.length === 1) {
        killedAt = performance.now();
        node.process.child.kill('SIGKILL');
      }
    }
    expect(endedAt - killedAt).toBeLessThan(2_000);
    expect(dataOf(texts).at(-1)).toEqual({
      error: { message: expect.any(String), type: 'server_error', param: null, code: 'node_disconnected' },
    });
    expect(texts).not.toContain('data: [DONE]');
  });

  it('makes the official client raise, not finish', async () => {
    const client = new OpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
    const stream = await client.chat.completions.create({ ...hello, stream: true });
    await expect(
      (async () => {
        for await (const chunk of stream) if (chunk.choices.length > 0) node.process.child.kill('SIGKILL');
      })(),
    ).rejects.toThrow(OpenAI.APIError);
  });

  it('a killed node before the first event fails over to another node once', async () => {
    const arrived = engine.nextCall();
    engine.respond = () => undefined;
    const response = relay.chat(hello);
    await arrived;
    const spare = await FakeEngine.start();
    const other = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: spare.url }] });
    node.process.child.kill('SIGKILL');
    expect((await response).status).toBe(200);
    expect(spare.calls).toHaveLength(1);
    await other.stop();
    await spare.stop();
  }, 60_000);

  it('a killed node before the first event, without another node, results in a 503 in time', async () => {
    const arrived = engine.nextCall();
    engine.respond = () => undefined;
    const result = relay.chat(hello);
    await arrived;
    const killedAt = performance.now();
    node.process.child.kill('SIGKILL');
    const response = await result;
    expect(performance.now() - killedAt).toBeLessThan(3_000);
    expect(response.status).toBe(503);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await response.json()).toMatchObject({ error: { code: 'node_disconnected' } });
  });

  it('reconnects with the same id and serves again', async () => {
    const before = await node.id();
    node.process.child.kill('SIGKILL');
    await eventually('the relay noticed', async () => (await inventoryOf(relay)).length === 0);
    await node.run();
    expect(await node.id()).toBe(before);
    engine.respond = (call) => call.completion('back again');
    expect((await relay.chat(hello)).status).toBe(200);
  }, 30_000);

  it('streams the first words at once, and an error when only the engine crashes', async () => {
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ role: 'assistant', content: 'Once upon' });
      setTimeout(() => call.destroy(), 50);
    };
    const texts = await cutEventsOf(await relay.chat({ ...hello, stream: true }));
    expect(dataOf(texts).at(-1)).toMatchObject({ error: { code: 'engine_error', type: 'server_error' } });
    expect(texts).not.toContain('data: [DONE]');
  });
});
