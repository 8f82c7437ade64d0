/** One target under one load, and what every process cost meanwhile. */
import { setTimeout as delay } from 'node:timers/promises';
import { Generator } from '../load/generator.js';
import type { LoadResult } from '../load/orders.js';
import type { LoadScenario } from '../scenarios/scenario.js';
import type { RunningTarget } from '../targets/target.js';
import { busyShare, machineTime } from './machine-load.js';
import { usageOf } from './process-usage.js';

export interface Measurement {
  readonly load: LoadResult;
  /** CPU microseconds per event or request, inside the window. */
  readonly relayMicros: number;
  readonly nodeMicros: number;
  /** The same of what all targets share. */
  readonly engineMicros: number;
  readonly generatorMicros: number;
  readonly perSecond: number;
  readonly relayIdleBytes: number;
  readonly relayBusyBytes: number;
  /** Of the relay before its idle nodes came; 0 where there are none. */
  readonly bytesWithoutIdle: number;
  /** Share of all cores that was in use, 0 … 1. */
  readonly machineBusy: number;
}

/** After the warm-up: connections close, garbage goes. */
const REST_MS = 500;
/** From the moment when everything runs to the moment from which it counts. */
const SETTLE_MS = 1_500;

export async function measure(target: RunningTarget, scenario: LoadScenario, enginePid: number): Promise<Measurement> {
  const generator = new Generator();
  try {
    await generator.prepare({
      order: scenario.order,
      destination: { url: target.url, headers: target.headers },
      warmUpMs: scenario.warmUpMs,
    });
    await delay(REST_MS);
    const relayIdleBytes = usageOf(target.relayPids).residentBytes;
    const mark = async (command: 'begin' | 'end') => ({
      units: await generator.tell(command),
      at: performance.now(),
      relay: usageOf(target.relayPids).cpuSeconds,
      node: usageOf(target.nodePids).cpuSeconds,
      engine: usageOf([enginePid]).cpuSeconds,
      generator: usageOf([generator.pid]).cpuSeconds,
      machine: machineTime(),
    });
    await generator.tell('start');
    await delay(SETTLE_MS);
    const from = await mark('begin');
    await delay(scenario.windowMs);
    const to = await mark('end');
    const relayBusyBytes = usageOf(target.relayPids).residentBytes;
    const load = await generator.finish();
    const seconds = (to.at - from.at) / 1_000;
    const units = scenario.unit === 'second' ? seconds : Math.max(1, to.units - from.units);
    const micros = (of: 'relay' | 'node' | 'engine' | 'generator'): number => ((to[of] - from[of]) * 1_000_000) / units;
    return {
      load,
      relayMicros: micros('relay'),
      nodeMicros: micros('node'),
      engineMicros: micros('engine'),
      generatorMicros: micros('generator'),
      perSecond: units / seconds,
      relayIdleBytes,
      relayBusyBytes,
      bytesWithoutIdle: target.bytesWithoutIdle ?? 0,
      machineBusy: busyShare(from.machine, to.machine),
    };
  } finally {
    await generator.stop();
  }
}
