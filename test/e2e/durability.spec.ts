/** Durability after a crash, and the lock of a data directory (docs/reference/data.md#database). */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { ferry, FerryProcess } from '../support/process/ferry-process.js';
import { inventoryOf, TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

/** A relay that starts slowly has been tried several times by then, and the next random delay may be up to a minute. */
const LONGEST_RECONNECT_MS = 65_000;

describe('a relay that is killed', () => {
  let relay: TestRelay;

  beforeEach(async () => {
    relay = await TestRelay.start();
  }, 60_000);

  afterEach(() => relay.stop(), 30_000);

  it('loses no acknowledged write', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const writer = (async () => {
        for (let index = 0; index < 20; index += 1) {
          const name = `round ${round} key ${index}`;
          await relay.manage('POST', '/keys', { name }).then(() => acknowledged.push(name));
        }
      })().catch(() => undefined);
      await eventually('some keys are written', () => acknowledged.length >= (round + 1) * 5);
      relay.process.child.kill('SIGKILL');
      await Promise.all([writer, relay.process.exited]);
      await relay.restart();
    }
    const { data } = await relay.manage<{ data: { name: string }[] }>('GET', '/keys');
    expect(data.map((key) => key.name)).toEqual(expect.arrayContaining(acknowledged));
    expect((await relay.fetch('/v1/models')).status).toBe(200);
  }, 60_000);

  it('is reconnected to by its node', async () => {
    const engine = await FakeEngine.start();
    const node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url }] });
    relay.process.child.kill('SIGKILL');
    await relay.process.exited;
    await relay.restart();
    await eventually('the node is back', async () => (await inventoryOf(relay)).length === 1, LONGEST_RECONNECT_MS);
    const answer = await relay.chat({ model: 'fake', messages: [{ role: 'user', content: 'hi' }] });
    expect(answer.status).toBe(200);
    await node.stop();
    await engine.stop();
  }, 120_000);
});

describe('the data directory of the embedded database', () => {
  it('is locked by one process: a second one is refused with one line', async () => {
    const relay = await TestRelay.start({ database: 'embedded' });
    try {
      const second = await ferry(['serve'], { ...relay.serveEnv, FERRY_PORT: '0' });
      expect(second.code).toBe(1);
      expect(second.stderr.trim().split('\n')).toHaveLength(1);
      expect(second.stderr).toContain(relay.dataDirectory);
      expect((await relay.fetch('/v1/models')).status).toBe(200);
    } finally {
      await relay.stop();
    }
  }, 60_000);

  it('can be locked again after a crash despite a stale lock, by one process', async () => {
    const relay = await TestRelay.start({ database: 'embedded' });
    try {
      relay.process.child.kill('SIGKILL');
      await relay.process.exited;
      expect(existsSync(path.join(relay.dataDirectory, 'relay'))).toBe(true);
      await relay.restart();
      const second = await ferry(['serve'], { ...relay.serveEnv, FERRY_PORT: '0' });
      expect(second.code).toBe(1);
      expect((await relay.fetch('/v1/models')).status).toBe(200);
    } finally {
      await relay.stop();
    }
  }, 60_000);

  it('reports a port in use with one line', async () => {
    const relay = await TestRelay.start({ database: 'embedded' });
    const other = await TestRelay.start({ database: 'embedded' });
    try {
      await other.process.stop();
      const port = new URL(relay.baseUrl).port;
      const refused = FerryProcess.start(['serve'], { ...other.serveEnv, FERRY_PORT: port });
      expect(await refused.exited).toBe(1);
      expect(refused.stderr.trim().split('\n')).toHaveLength(1);
      expect(refused.stderr).toContain(port);
    } finally {
      await relay.stop();
      await other.stop();
    }
  }, 60_000);
});

describe('a relay at SIGTERM', () => {
  it('lets running streams finish, refuses new work, and exits 0', async () => {
    const relay = await TestRelay.start();
    const engine = await FakeEngine.start();
    const node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url }] });
    try {
      const arrived = engine.nextCall();
      engine.answer = (call) => {
        call.startStream();
        call.chunk({ role: 'assistant', content: 'slow ' });
      };
      const answer = await relay.chat({ model: 'fake', stream: true, messages: [{ role: 'user', content: 'hi' }] });
      const call = await arrived;
      relay.process.child.kill('SIGTERM');
      setTimeout(() => {
        call.chunk({ content: 'but whole' });
        call.finish();
      }, 500);
      const text = await answer.text();
      expect(text).toContain('but whole');
      expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
      expect(await relay.process.exited).toBe(0);
    } finally {
      await node.stop();
      await engine.stop();
      await relay.stop();
    }
  }, 60_000);
});
