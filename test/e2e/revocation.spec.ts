/**
 * Revocation takes effect at once, also for running requests (docs/reference/security.md#api-keys,
 * docs/reference/security.md#nodes).
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { allEvents, dataOf } from '../support/client/event-stream.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { ferry } from '../support/process/ferry-process.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { inventoryOf, TestNode } from '../support/process/test-node.js';

const WITHIN_MS = 2_000;
const hello = { model: 'fake', stream: true, messages: [{ role: 'user', content: 'hi' }] };

describe('revocation', () => {
  let relay: Tenant;
  let engine: FakeEngine;

  shareRelay((shared) => (relay = shared));

  beforeAll(async () => {
    engine = await FakeEngine.start();
    engine.respond = async (call) => {
      call.startStream();
      while (!call.gone) {
        call.chunk({ content: 'on and ' });
        await delay(20);
      }
    };
  }, 60_000);

  afterAll(async () => {
    await engine.stop();
  }, 30_000);

  const startNode = (): Promise<TestNode> =>
    TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url }] });

  it('revocation of a key ends its running streams with an error and stops the engine', async () => {
    const node = await startNode();
    const { key } = await relay.manage<{ key: string }>('POST', '/keys', { name: 'running' });
    const arrived = engine.nextCall();
    const response = await relay.chat(hello, { headers: { authorization: `Bearer ${key}` } });
    const call = await arrived;
    const events = allEvents(response);
    const revokedAt = performance.now();
    await relay.manage('DELETE', '/keys/running');
    expect((await call.aborted) - revokedAt).toBeLessThan(WITHIN_MS);
    const texts = await events;
    expect(dataOf(texts).at(-1)).toMatchObject({ error: { code: expect.any(String) } });
    expect(texts).not.toContain('data: [DONE]');
    await node.stop();
  }, 60_000);

  it('revocation of a node permanently removes it, its models and its streams', async () => {
    const node = await startNode();
    const response = await relay.chat(hello);
    const events = allEvents(response);
    const revokedAt = performance.now();
    await relay.manage('DELETE', `/nodes/${await node.id()}`);
    const texts = await events;
    expect(performance.now() - revokedAt).toBeLessThan(WITHIN_MS);
    expect(dataOf(texts).at(-1)).toMatchObject({ error: { code: 'node_disconnected' } });
    expect(await inventoryOf(relay)).toEqual([]);
    await eventually('the node says that it was revoked', () => /revoked/i.test(node.process.stderr), 20_000);
    expect(await inventoryOf(relay)).toEqual([]);
    await node.stop();
  }, 60_000);

  it('a join token works once, and the second use fails with advice', async () => {
    const { join_token: token } = await relay.manage<{ join_token: string }>('POST', '/join-tokens', {});
    const join = (directory: string): ReturnType<typeof ferry> =>
      ferry(['node', 'join', token, '--relay', relay.baseUrl], {
        FERRY_DATA_DIR: `${relay.dataDirectory}/${directory}`,
        FERRY_CONFIG_DIR: `${relay.dataDirectory}/${directory}`,
      });
    const results = await Promise.all([join('one'), join('two'), join('three')]);
    expect(results.filter((result) => result.code === 0)).toHaveLength(1);
    for (const { stderr } of results.filter((result) => result.code !== 0)) expect(stderr).toMatch(/join-token|token/);
  }, 60_000);
});
