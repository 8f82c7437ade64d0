// Own relay: it is killed.
/** Durability after a crash, and the lock of a data directory (docs/reference/data.md#database). */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { freshDatabase } from '../support/db/fresh-database.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { ferry } from '../support/process/ferry-process.js';
import { inventoryOf, TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

/** A relay that starts slowly has been tried several times by then, and the next random delay may be up to a minute. */
const LONGEST_RECONNECT_MS = 65_000;

describe('a relay that is killed', () => {
  let relay: TestRelay;
  let engine: FakeEngine;
  let node: TestNode | undefined;
  /** Names of keys. */
  const acknowledged: string[] = [];
  let kills = 0;

  beforeAll(async () => {
    [relay, engine] = await Promise.all([TestRelay.start(), FakeEngine.start()]);
  }, 60_000);

  afterAll(async () => {
    await node?.stop();
    await engine.stop();
    await relay.stop();
  }, 30_000);

  /** Kills it during writes. */
  async function killAndRestart(): Promise<void> {
    const before = acknowledged.length;
    kills += 1;
    const writer = (async () => {
      for (let index = 0; index < 20; index += 1) {
        // A name of its own in each round: the last write before a kill may be committed without having been acknowledged.
        const name = `key ${index} before kill ${kills}`;
        await relay.manage('POST', '/keys', { name }).then(() => acknowledged.push(name));
      }
    })().catch(() => undefined);
    await eventually('some keys are written', () => acknowledged.length >= before + 5);
    relay.process.child.kill('SIGKILL');
    await Promise.all([writer, relay.process.exited]);
    await relay.restart();
  }

  /** In the words of what needs attention. */
  async function goneNodes(): Promise<readonly string[]> {
    const { attention } = await relay.manage<{ attention: { code: string; message: string }[] }>('GET', '/overview');
    return attention.flatMap(({ code, message }) => (code === 'node_gone' ? [message] : []));
  }

  async function losesNothing(): Promise<void> {
    const { data } = await relay.manage<{ data: { name: string }[] }>('GET', '/keys');
    expect(data.map((key) => key.name)).toEqual(expect.arrayContaining(acknowledged));
    expect((await relay.fetch('/v1/models')).status).toBe(200);
  }

  it('loses no acknowledged write', async () => {
    for (let round = 0; round < 2; round += 1) await killAndRestart();
    await losesNothing();
  }, 60_000);

  it('a relay that is killed is reconnected to by its node', async () => {
    // Not earlier: each restart that a node sees makes it wait longer before the next attempt.
    const engines = [{ kind: 'openai-compatible', base_url: engine.url }] as const;
    node = await TestNode.start(relay, { engines });
    const [stopped, lost] = await Promise.all([
      TestNode.start(relay, { name: 'stopped', engines }),
      TestNode.start(relay, { name: 'lost', engines }),
    ]);
    await stopped.stop();
    lost.process.child.kill('SIGKILL');
    await eventually('the relay has noticed', async () => (await goneNodes()).length === 1);
    await killAndRestart();
    await losesNothing();
    await eventually('the node is back', async () => (await inventoryOf(relay)).length === 1, LONGEST_RECONNECT_MS);
    const response = await relay.chat({ model: 'fake', messages: [{ role: 'user', content: 'hi' }] });
    expect(response.status).toBe(200);
    // As before the restart, although the process that saw them leave is gone.
    expect(await goneNodes()).toEqual([expect.stringMatching(/^lost: It lost its connection/)]);
    await lost.stop();
  }, 120_000);

  it('lets running streams finish at SIGTERM, refuses new work, and exits 0', async () => {
    const arrived = engine.nextCall();
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ role: 'assistant', content: 'slow ' });
    };
    const response = await relay.chat({ model: 'fake', stream: true, messages: [{ role: 'user', content: 'hi' }] });
    const call = await arrived;
    relay.process.child.kill('SIGTERM');
    // The listener closes after the notice of the drain: what arrives before that is still served.
    await eventually('no new connection is accepted', () =>
      relay.fetch('/v1/models', { headers: { connection: 'close' } }).then(
        () => false,
        () => true,
      ),
    );
    call.chunk({ content: 'but whole' });
    call.finish();
    const text = await response.text();
    expect(text).toContain('but whole');
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
    expect(await relay.process.exited).toBe(0);
  }, 60_000);
});

describe('the data directory of the embedded database', () => {
  let relay: TestRelay;

  beforeAll(async () => {
    relay = await TestRelay.start({ database: 'embedded' });
  }, 60_000);

  afterAll(() => relay.stop(), 30_000);

  it('the data directory of the embedded database is locked by one process: a second one is refused, with advice', async () => {
    const second = await ferry(['serve'], { ...relay.serveEnv, FERRY_PORT: '0' });
    expect(second.code).toBe(1);
    expect(second.stderr.trim().split('\n')).toEqual([
      expect.stringContaining(relay.dataDirectory),
      expect.stringMatching(/^ {2}try: /),
    ]);
    expect((await relay.fetch('/v1/models')).status).toBe(200);
  }, 60_000);

  it('the data directory of the embedded database can be locked again after a crash despite a stale lock, by one process', async () => {
    relay.process.child.kill('SIGKILL');
    await relay.process.exited;
    expect(existsSync(path.join(relay.dataDirectory, 'relay'))).toBe(true);
    await relay.restart();
    const second = await ferry(['serve'], { ...relay.serveEnv, FERRY_PORT: '0' });
    expect(second.code).toBe(1);
    expect((await relay.fetch('/v1/models')).status).toBe(200);
  }, 60_000);

  it('the data directory of the embedded database is left alone by a relay that reports a port in use, with advice', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'ferry-e2e-'));
    try {
      await freshDatabase(folder, 'embedded');
      const port = new URL(relay.baseUrl).port;
      const env = { ...relay.serveEnv, FERRY_DATA_DIR: folder, FERRY_CONFIG_DIR: path.join(folder, 'config') };
      const refused = await ferry(['serve'], { ...env, FERRY_PORT: port });
      expect(refused.code).toBe(1);
      expect(refused.stderr.trim().split('\n')).toEqual([
        expect.stringContaining(port),
        expect.stringMatching(/^ {2}try: /),
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
