/**
 * F21: random faults of relays, bus and nodes under load, from a seed that is printed. `FERRY_FAULT_REPETITIONS` runs of
 * `FERRY_NEMESIS_SECONDS`; `FERRY_FAULT_SEED` repeats the choices of a run, and not its timing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { TestNode } from '../support/process/test-node.js';
import type { ClientRecord } from '../faults/support/history.js';
import type { RecordingClient } from '../faults/support/recording-client.js';
import { below, printFigures, repetitions, seed, seeded } from '../faults/support/repetitions.js';
import { ClusterHarness } from './support/cluster.harness.js';
import { Nemesis } from './support/nemesis.js';

const NODES = Number(process.env['FERRY_CLUSTER_NODES'] ?? 10);
const DURATION_MS = 1_000 * Number(process.env['FERRY_NEMESIS_SECONDS'] ?? 60);
const LOOPS_PER_CLIENT = 3;
const LONGEST_WORDS = 40;
const LONGEST_WORD_MS = 150;
const LEAVES_EVERY = 20;
/** A client that is refused or cut off waits this long before its next request. */
const AFTER_FAILURE_MS = 100;
/** The pages of nginx are longer. */
const LONGEST_CODE = 40;
/** A node that has lost its only link comes back with random delays of up to a minute. */
const EVERYTHING_BACK_WITHIN_MS = 90_000;

/** How many ended in which way. */
function endsOf(records: readonly (readonly [RecordingClient, ClientRecord])[]): string {
  const counts = new Map<string, number>();
  for (const [, { end, code, status }] of records) {
    const text = code === null ? end : `${end} ${code.length > LONGEST_CODE ? status : code}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => `${text} ${count}`).join(' · ');
}

describe('three relays with random faults', () => {
  let harness: ClusterHarness;
  let nodes: readonly TestNode[];

  beforeAll(async () => {
    harness = await ClusterHarness.start(NODES, { FERRY_DRAIN_TIMEOUT_MS: '4000', FERRY_DRAIN_NOTICE_MS: '500' });
    const engines = [{ kind: 'openai-compatible', base_url: harness.engine.fake.url, slots: 64 }] as const;
    nodes = await Promise.all([0, 1].map(() => TestNode.start(harness.cluster.front, { engines })));
  }, 240_000);

  afterAll(async () => {
    // Undefined where it did not start.
    await Promise.all(((nodes as TestNode[] | undefined) ?? []).map((node) => node.stop()));
    await (harness as ClusterHarness | undefined)?.end();
  }, 120_000);

  it(
    'three relays with random faults keep all invariants, and serve everything afterwards',
    async () => {
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        const random = seeded(seed + repetition);
        process.stderr.write(`F21 run ${repetition}: FERRY_FAULT_SEED=${seed + repetition}\n`);
        harness.engine.behave = (run) => run.tell(1 + below(random, LONGEST_WORDS), below(random, LONGEST_WORD_MS));
        const clients = [...harness.direct, harness.front];
        const records: [RecordingClient, ClientRecord][] = [];
        let loading = true;
        const loops = clients.flatMap((client) =>
          Array.from({ length: LOOPS_PER_CLIENT }, async () => {
            while (loading) {
              const leaves = below(random, LEAVES_EVERY) === 0;
              const record = await client.ask(leaves ? { leaveAfterWords: below(random, 3) } : {}).over;
              records.push([client, record]);
              if (record.end !== 'completed') await delay(AFTER_FAILURE_MS);
            }
          }),
        );
        const nemesis = new Nemesis(harness, nodes, seed + repetition);
        await nemesis.rage(DURATION_MS);
        loading = false;
        await Promise.all(loops);

        printFigures(`F21 run ${repetition}`, {
          faults: nemesis.history.length,
          requests: records.length,
          direct: endsOf(records.filter(([client]) => client !== harness.front)),
          through_nginx: endsOf(records.filter(([client]) => client === harness.front)),
        });
        try {
          // Only a killed relay breaks a connection on which a response has begun.
          expect(
            records
              .filter(([client, record]) => record.end === 'broken' && !harness.wasKilled(client, record))
              .filter(([, { requestId }]) => requestId !== null),
          ).toEqual([]);
          await harness.expectSound();
          await harness.expectNothingHeld();
          await expectEverythingBack();
        } catch (error) {
          process.stderr.write(`F21 run ${repetition}: ${nemesis.history.join(', ')}\n`);
          throw error;
        }
      }
    },
    (DURATION_MS + 180_000) * repetitions,
  );

  const expectEverythingBack = async (): Promise<void> => {
    for (const relay of harness.relays) {
      await eventually(`${relay.name} works fully`, async () => (await relay.degraded()).length === 0, 15_000);
      await eventually(
        `${relay.name} has a link to all nodes`,
        () => relay.linkedNodes === NODES + nodes.length,
        EVERYTHING_BACK_WITHIN_MS,
      );
    }
    harness.engine.behave = (run) => run.tell(3, 10);
    for (const client of [...harness.direct, harness.front])
      expect(new Set((await client.many(20)).map(({ end }) => end))).toEqual(new Set(['completed']));
  };
});
