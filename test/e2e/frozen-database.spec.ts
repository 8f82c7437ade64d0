// Own relay: its database is frozen.
/** The database of a relay stops answering while many writes are in flight, and answers again. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { OutageLoad, outageEnv } from '../support/db/outage-load.js';
import { stoppableDatabase, type StoppableDatabase } from '../support/db/stoppable-database.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

/** Twice as long as the timeout of a query, 3 s: of what was in flight everything has timed out, and so has what came after it. */
const FROZEN_MS = 7_000;
const BACK_WITHIN_MS = 2_000;

describe('a relay whose database freezes', () => {
  let database: StoppableDatabase;
  let relay: TestRelay;
  let node: TestNode;
  let engine: FakeEngine;

  beforeAll(async () => {
    database = await stoppableDatabase();
    relay = await TestRelay.start({ env: { ...database.env, ...outageEnv }, database: 'embedded' });
    engine = await FakeEngine.start();
    node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 4 }] });
  }, 120_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
    await relay.stop();
    await database.remove();
  }, 60_000);

  it('answers 503 and never 500, and works again 2 s after the database does, also with the same Idempotency-Key', async () => {
    process.stderr.write(`the frozen database is one of: ${database.kind}\n`);
    const load = await OutageLoad.start(relay, 'cluster');
    const areas = ['management', 'inference'] as const;
    for (const area of areas) await eventually(`${area} works`, () => load.succeededAfter(0, area).length > 10);
    await database.freeze();
    const create = (): Promise<Response> =>
      fetch(`${relay.baseUrl}/api/keys`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${relay.credentials.cli_token}`,
          'content-type': 'application/json',
          'idempotency-key': 'once',
        },
        body: JSON.stringify({ name: 'once' }),
      });
    const [refused] = await Promise.all([create(), delay(FROZEN_MS)]);
    await database.resume();
    const thawedAtMs = performance.now();
    const backMs: number[] = [];
    for (const area of areas) {
      await eventually(`${area} is back`, () => load.firstSuccessAfter(thawedAtMs, area) !== undefined, 30_000);
      backMs.push((load.firstSuccessAfter(thawedAtMs, area) ?? Infinity) - thawedAtMs);
    }
    // What was left in the connections would show in what is asked now.
    // Of the embedded database, whose queries wait for each other, it may be that it was not refused.
    expect(database.kind === 'embedded' ? [201, 503] : [503]).toContain(refused.status);
    // The same relay does not know it any more, and whoever asks again gets the response once.
    expect([await create(), await create()].map(({ status }) => status)).toEqual([201, 201]);
    const { data } = await relay.manage<{ data: { name: string }[] }>('GET', '/keys');
    expect(data.filter(({ name }) => name === 'once')).toHaveLength(1);
    for (const area of areas)
      await eventually(`${area} goes on`, () => load.succeededAfter(thawedAtMs, area).length > 50, 60_000);
    await load.end();
    const { statuses, unexpected } = load.summary;
    process.stderr.write(
      `answers: ${JSON.stringify(statuses)}, back after ${backMs.map(Math.round).join(' and ')} ms\n`,
    );
    expect(unexpected).toEqual([]);
    expect(Math.max(...backMs)).toBeLessThan(BACK_WITHIN_MS);
  }, 180_000);
});
