/**
 * How long a request still waits once its slot is free (bar: 5 ms). Wall time on a busy machine measures the machine, so what is held to
 * the bar is turns of the event loop between the release and the dispatch: none, for every way in which a slot becomes free.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { account } from '../../../../test/support/relay/routing-fleet.js';
import type { HarnessStream } from '../../../../test/support/relay/harness-stream.js';
import { InferenceHarness, nothingLeft } from '../../../../test/support/relay/inference.harness.js';
import { WakeCoalescer } from './admission-queue.js';

const WAKES = 1_000;

type Release = (running: HarnessStream, harness: InferenceHarness) => void;

/** Every way in which somebody else's slot becomes free, or one comes into being. */
const releases: readonly [name: string, release: Release][] = [
  ['an answer that ends', (running) => running.ack().begin().data().end()],
  ['an engine that fails', (running) => running.ack().end('failed', { code: 'engine_error' })],
  ['a client that leaves', (_, harness) => harness.clients[0]!.leave()],
  [
    'a request that is ended from outside',
    (_, harness) => harness.clients[0]!.request.abort('failed', 'draining', '', 'draining'),
  ],
  [
    'a node that comes',
    (_, harness) => {
      harness.fleet.nodes.push(harness.node('new'));
      new WakeCoalescer((accountId) => {
        harness.context.queue.fleetChanged(accountId);
      }).fleetChanged(account);
    },
  ],
];

interface Wake {
  readonly turns: number;
  readonly wallMs: number;
}

/** One full node, one request that waits, and the release in a turn of its own. */
async function wakeOnce(release: Release): Promise<Wake> {
  let turn = 0;
  let dispatched: { turn: number; atMs: number } | undefined;
  const harness = new InferenceHarness({ nodes: { a: {} } });
  harness.send();
  harness.send();
  const [running] = harness.streams;
  if (running === undefined) throw new Error('the first request was not dispatched');
  const { push } = harness.streams;
  harness.streams.push = (...streams) => {
    dispatched ??= { turn, atMs: performance.now() };
    return push.apply(harness.streams, streams);
  };
  await nextTurn();
  turn += 1;
  const releasedAt = { turn, atMs: performance.now() };
  release(running, harness);
  for (let more = 0; more < 3 && dispatched === undefined; more += 1) {
    await nextTurn();
    turn += 1;
  }
  if (dispatched === undefined) throw new Error('nobody woke the one that waits');
  for (const client of harness.clients) client.leave();
  expect(harness.leftovers()).toEqual(nothingLeft);
  return { turns: dispatched.turn - releasedAt.turn, wallMs: dispatched.atMs - releasedAt.atMs };
}

const p99 = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length * 0.99)] ?? NaN;

test.each(releases)('%s starts the next in line in the same turn of the event loop', async (name, release) => {
  const wakes: Wake[] = [];
  for (let wake = 0; wake < WAKES / releases.length; wake += 1) wakes.push(await wakeOnce(release));
  const turns = p99(wakes.map(({ turns }) => turns));
  const wallMs = p99(wakes.map(({ wallMs }) => wallMs));
  process.stdout.write(
    `FIGURES queue wake, ${name}: ${wakes.length} wakes, p99 ${turns} turns, ${wallMs.toFixed(3)} ms\n`,
  );
  expect(Math.max(...wakes.map(({ turns: late }) => late))).toBe(0);
});
