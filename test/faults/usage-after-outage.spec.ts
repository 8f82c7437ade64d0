/** F22, usage: what a relay kept while its database was frozen is written soon after that, and a kill loses nothing of it. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../support/clock/eventually.js';
import { stoppableDatabase, type StoppableDatabase } from '../support/db/stoppable-database.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';
import { printFigures, repetitions } from './support/repetitions.js';

/** Longer than a query may take: what was to be written has failed. */
const FROZEN_MS = 5_000;
/** docs/operate/scaling.md#what-is-exact-and-what-is-not. Nobody asks the relay meanwhile. */
const WRITTEN_WITHIN_MS = 3_000;
const REQUESTS = 40;

let database: StoppableDatabase;
let relay: TestRelay;
let node: TestNode;
let engine: FakeEngine;
let seen: pg.Client;

beforeAll(async () => {
  database = await stoppableDatabase();
  if (database.kind !== 'postgres') throw new Error('Postgres is not installed: apt-get install postgresql');
  relay = await TestRelay.start({ env: database.env, database: 'embedded' });
  engine = await FakeEngine.start();
  node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 4 }] });
  seen = new pg.Client(database.env['DATABASE_URL']);
  await seen.connect();
}, 120_000);

afterAll(async () => {
  await seen.end();
  await node.stop();
  await engine.stop();
  await relay.stop();
  await database.remove();
}, 60_000);

let served = 0;
const ask = async (): Promise<number> => {
  const response = await relay.chat({ model: 'fake', messages: [{ role: 'user', content: 'hi' }] });
  await response.text();
  if (response.status === 200) served += 1;
  return response.status;
};

const metered = async (): Promise<number> => {
  const { rows } = await seen.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM request_log WHERE outcome = 'completed'`,
  );
  return rows[0]?.count ?? 0;
};

it(
  'is written within three seconds after the database answers again, so that a relay that is killed then loses nothing',
  async () => {
    let slowestMs = 0;
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      await eventually('the node is connected', async () => (await ask()) === 200, 60_000);
      await database.freeze();
      expect(new Set(await Promise.all(Array.from({ length: REQUESTS }, ask)))).toEqual(new Set([200]));
      await delay(FROZEN_MS);
      await database.resume();
      const thawedAtMs = performance.now();
      while ((await metered()) < served && performance.now() - thawedAtMs < WRITTEN_WITHIN_MS) await delay(20);
      slowestMs = Math.max(slowestMs, performance.now() - thawedAtMs);
      await relay.process.stop('SIGKILL');
      expect(await metered()).toBe(served);
      await relay.restart();
    }
    printFigures('F22 usage', { repetitions, slowest_written_ms: slowestMs });
  },
  60_000 * repetitions,
);
