/** Measures one target under one load, with the cost of every process. */
import { setTimeout as delay } from 'node:timers/promises';
import { Generator } from '../load/generator.js';
import type { LoadResult } from '../load/load-protocol.js';
import type { LoadScenario } from '../scenarios/scenario.js';
import type { RunningTarget } from '../targets/target.js';
import { busyShare, foreignShare, machineTime } from './machine-load.js';
import { referencedBytes } from './heap.js';
import { usageOf } from './process-usage.js';

export interface Measurement {
  /** Figures of different targets are compared within a round. */
  readonly round: number;
  readonly load: LoadResult;
  /** CPU microseconds per event or request, inside the window. */
  readonly relayMicros: number;
  readonly nodeMicros: number;
  /** Of a database server in processes of its own; 0 without one. */
  readonly databaseMicros: number;
  /** The same for the engine and the generator, which all targets share. */
  readonly engineMicros: number;
  readonly generatorMicros: number;
  readonly perSecond: number;
  readonly relayIdleBytes: number;
  readonly relayBusyBytes: number;
  /** What the relay references before the load and under it, after a garbage collection; null where that is not asked for. */
  readonly heap: { readonly idleBytes: number; readonly busyBytes: number } | null;
  /** Memory of the relay before its idle nodes connected; 0 without idle nodes. */
  readonly bytesWithoutIdle: number;
  /** Share of all cores in use, 0 … 1. */
  readonly machineBusy: number;
  /** The same of processes that do not belong to the measurement. */
  readonly foreignBusy: number;
}

/** Pause after the warm-up, for connections to close and garbage to be collected. */
const REST_MS = 500;
/**
 * @param round recorded with the figures
 * @throws when the target does not respond
 */
export async function measure(
  target: RunningTarget,
  scenario: LoadScenario,
  enginePid: number,
  round = 1,
): Promise<Measurement> {
  const generator = new Generator();
  try {
    await generator.prepare({
      spec: scenario.spec,
      destination: { url: target.url, headers: target.headers },
      warmUpMs: scenario.warmUpMs,
    });
    await delay(REST_MS);
    const relayIdleBytes = usageOf(target.relayPids).residentBytes;
    const [relayPid] = target.relayPids;
    const inspected = scenario.heap === true && target.isNode === true ? relayPid : undefined;
    const heapIdleBytes = inspected === undefined ? 0 : await referencedBytes(inspected);
    const mark = async (command: 'begin' | 'end') => ({
      units: await generator.tell(command),
      at: performance.now(),
      relay: usageOf(target.relayPids).cpuSeconds,
      node: usageOf(target.nodePids).cpuSeconds,
      database: usageOf(target.databasePids ?? []).cpuSeconds,
      engine: usageOf([enginePid]).cpuSeconds,
      generator: usageOf([generator.pid]).cpuSeconds,
      // With all its descendants, among which are the ones above.
      own: usageOf([process.pid]).cpuSeconds,
      machine: machineTime(),
    });
    await generator.tell('start');
    await delay(scenario.settleMs);
    const from = await mark('begin');
    await delay(scenario.windowMs);
    const to = await mark('end');
    const relayBusyBytes = usageOf(target.relayPids).residentBytes;
    const heapBusyBytes = inspected === undefined ? 0 : await referencedBytes(inspected);
    const load = await generator.finish();
    const seconds = (to.at - from.at) / 1_000;
    const units = scenario.unit === 'second' ? seconds : Math.max(1, to.units - from.units);
    const micros = (of: 'relay' | 'node' | 'database' | 'engine' | 'generator'): number =>
      ((to[of] - from[of]) * 1_000_000) / units;
    return {
      round,
      load,
      relayMicros: micros('relay'),
      nodeMicros: micros('node'),
      databaseMicros: micros('database'),
      engineMicros: micros('engine'),
      generatorMicros: micros('generator'),
      perSecond: units / seconds,
      relayIdleBytes,
      relayBusyBytes,
      heap: inspected === undefined ? null : { idleBytes: heapIdleBytes, busyBytes: heapBusyBytes },
      bytesWithoutIdle: target.bytesWithoutIdle ?? 0,
      machineBusy: busyShare(from.machine, to.machine),
      foreignBusy: foreignShare(from.machine, to.machine, to.own - from.own),
    };
  } finally {
    await generator.stop();
  }
}
