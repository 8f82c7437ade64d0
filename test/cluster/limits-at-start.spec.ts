/** What a key has used of its limits lately is known to a relay that starts (docs/operate/scaling.md#what-is-exact-and-what-is-not). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { RelayGroup } from '../support/process/relay-group.js';
import { TestNode } from '../support/process/test-node.js';
import type { TestRelay } from '../support/process/test-relay.js';

describe('a relay that starts beside another one', () => {
  let group: RelayGroup;
  let engine: FakeEngine;
  let node: TestNode;

  beforeAll(async () => {
    group = await RelayGroup.start(2);
    await group.connected();
    engine = await FakeEngine.start();
    node = await TestNode.start(group.at(0), {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 4 }],
    });
  }, 240_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
    await group.stop();
  }, 120_000);

  it('gives no fresh minute to a key that has used its own', async () => {
    const body = { name: 'few', limits: { requests_per_minute: 2 } };
    const { key } = await group.at(0).manage<{ key: string }>('POST', '/keys', body);
    const ask = async (relay: TestRelay): Promise<number> => {
      const init = { headers: { authorization: `Bearer ${key}` } };
      const response = await relay.chat(
        { model: 'fake', messages: [{ role: 'user', content: 'a' }], stream: false },
        init,
      );
      await response.arrayBuffer();
      return response.status;
    };
    await eventually('the key is used up', async () => (await ask(group.at(0))) === 429);
    const other = group.at(1);
    await other.process.stop();
    await other.restart();
    expect(await ask(other)).toBe(429);
  }, 120_000);
});
