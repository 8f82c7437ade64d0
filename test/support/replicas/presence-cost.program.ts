/**
 * Measures the processor time of presence over NATS, in a process of its own: three replicas with 1,000 nodes each, of which each reports once
 * a second. Prints JSON. Usage: presence-cost.program.ts <address of NATS>
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { NatsTransport } from '../../../src/relay/replicas/bus/nats-transport.js';
import { eventually } from '../clock/eventually.js';
import { SimulatedNodes, startPresence } from './presence.harness.js';

const REPLICAS = 3;
const NODES = 1_000;
const STEPS_PER_SECOND = 10;
/** In each second, one group becomes full and the one before becomes free: 20 % of the nodes change. */
const GROUPS = 10;
/** Requests at an engine. Nodes ask their engines every 2 s: each load changes in every second report, by more than a step. */
const WAITING = [0, 12, 3, 30];
const WINDOWS = 5;
const WINDOW_SECONDS = 4;

const [address] = process.argv.slice(2);
if (address === undefined) throw new Error('usage: presence-cost.program.ts <address of NATS>');
Logger.overrideLogger(false);

const fleets = Array.from({ length: REPLICAS }, () => new SimulatedNodes());
const ids = fleets.map((nodes) => nodes.connect(NODES));

function report(step: number): void {
  const second = Math.floor(step / STEPS_PER_SECOND);
  for (const [at, nodes] of fleets.entries())
    for (let node = step % STEPS_PER_SECOND; node < NODES; node += STEPS_PER_SECOND) {
      const isFull = Math.floor(node / STEPS_PER_SECOND) % GROUPS === second % GROUPS;
      const waiting = WAITING[Math.floor((second + (node % 2)) / 2) % WAITING.length] ?? 0;
      nodes.report(ids[at]![node]!, isFull ? 4 : 0, waiting, 2 * waiting);
    }
}

/** Share of a core per replica; the lowest of some windows, because other processes on the computer only make it higher. */
async function measure(): Promise<number> {
  let lowest = Infinity;
  for (let window = 0; window < WINDOWS; window += 1) {
    const before = process.cpuUsage();
    const beginMs = performance.now();
    for (let step = 0; step < WINDOW_SECONDS * STEPS_PER_SECOND; step += 1) {
      report(window * WINDOW_SECONDS * STEPS_PER_SECOND + step);
      await delay(Math.max(0, beginMs + ((step + 1) * 1_000) / STEPS_PER_SECOND - performance.now()));
    }
    const { user, system } = process.cpuUsage(before);
    lowest = Math.min(lowest, (user + system) / 1_000 / (performance.now() - beginMs) / REPLICAS);
  }
  return lowest;
}

const reportsAlone = await measure();
const replicas = fleets.map((nodes) =>
  startPresence(
    nodes,
    (replicaId) =>
      new NatsTransport({
        replicaId,
        address,
        purpose: 'cost',
        subjectPrefix: 'ferry',
        pingIntervalMs: 3_000,
        connectTimeoutMs: 2_000,
        pendingLimitBytes: 8_388_608,
      }),
  ),
);
await eventually('all know all', () =>
  replicas.every(({ presence }) => [...presence.table.replicas()].filter(({ nodes }) => nodes === NODES).length === 2),
);
const [{ bus }] = replicas as [(typeof replicas)[0]];
const publishedBefore = bus.counters.published;
const share = (await measure()) - reportsAlone;
const messagesPerSecond = (bus.counters.published - publishedBefore) / (WINDOWS * WINDOW_SECONDS);
process.stdout.write(`${JSON.stringify({ share, reportsAlone, messagesPerSecond })}\n`);
await Promise.all(replicas.map((replica) => replica.stop()));
