// Own relay: its settings make a link die soon, and its node is frozen.
/** A computer that resumes: its node reconnects at once instead of waiting for the silence timeout. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { cutTextOf } from '../support/client/event-stream.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { ForgetfulProxy } from '../support/network/forgetful-proxy.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

/** Much longer than the detection takes on a busy machine, and much shorter than the silence timeout set below. */
const WITHIN_MS = 20_000;
/** Longer than the relay's silence timeout, and than the gap that counts as suspended. */
const SUSPENDED_MS = 2_500;

describe('a node whose computer was suspended', () => {
  let relay: TestRelay;
  let proxy: ForgetfulProxy;
  let engine: FakeEngine;
  let node: TestNode;

  beforeAll(async () => {
    // The relay detects the loss during the suspension; the node alone would take two minutes.
    relay = await TestRelay.start({ env: { FERRY_LINK_PING_INTERVAL_MS: '500', FERRY_LINK_DEAD_AFTER_MS: '2000' } });
    proxy = await ForgetfulProxy.start(relay.baseUrl);
    engine = await FakeEngine.start({ models: ['one'] });
    node = await TestNode.start(relay, {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 1 }],
      env: {
        FERRY_NODE_RELAY_URL: proxy.url,
        FERRY_NODE_LINK_PING_INTERVAL_MS: '60000',
        FERRY_NODE_LINK_DEAD_AFTER_MS: '120000',
        FERRY_NODE_LINK_SUSPEND_GAP_MS: '1000',
      },
    });
  }, 120_000);

  afterAll(async () => {
    await node.stop();
    await proxy.stop();
    await relay.stop();
    await engine.stop();
  }, 60_000);

  const links = (): number => node.process.stderr.split('connected to the relay').length - 1;
  const ask = (more: object = {}): Promise<Response> =>
    relay.chat({ model: 'one', messages: [{ role: 'user', content: 'Hello' }], ...more });

  async function suspend(meanwhile: () => void): Promise<void> {
    node.process.child.kill('SIGSTOP');
    meanwhile();
    await new Promise((resolve) => setTimeout(resolve, SUSPENDED_MS));
    node.process.child.kill('SIGCONT');
  }

  it('serves again at once after its router has dropped the connection', async () => {
    expect((await ask()).status).toBe(200);
    const before = links();
    await suspend(() => {
      proxy.forget();
    });
    await eventually('it has a new link', () => links() > before, WITHIN_MS);
    await eventually('it serves', async () => (await ask()).status === 200, WITHIN_MS);
  }, 60_000);

  it('frees the slot of a running request, and reports its outcome to the client', async () => {
    const { respond: result } = engine;
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ role: 'assistant', content: 'Once' });
    };
    const response = await ask({ stream: true });
    const before = links();
    const text = cutTextOf(response);
    await suspend(() => {
      proxy.forget();
    });
    await eventually('it has a new link', () => links() > before, WITHIN_MS);
    expect(await text).toMatch(/Once[^]*node_disconnected/);
    engine.respond = result;
    await eventually('its only slot is free', async () => (await ask()).status === 200, WITHIN_MS);
  }, 60_000);

  it('serves again after its process was stopped', async () => {
    const before = links();
    await suspend(() => undefined);
    await eventually('it has a new link', () => links() > before, WITHIN_MS);
    await eventually('it serves', async () => (await ask()).status === 200, WITHIN_MS);
  }, 60_000);
});
