/** Measures one target under one load, with the cost of every process. */
import { setTimeout as delay } from 'node:timers/promises';
import { Generator } from '../load/generator.js';
import type { LoadResult } from '../load/load-protocol.js';
import type { LoadScenario } from '../scenarios/scenario.js';
import type { RunningTarget } from '../targets/target.js';
import { busyShare, machineTime } from './machine-load.js';
import { usageOf } from './process-usage.js';

export interface Measurement {
  readonly load: LoadResult;
  /** CPU microseconds per event or request, inside the window. */
  readonly relayMicros: number;
  readonly nodeMicros: number;
  /** The same for the engine and the generator, which all targets share. */
  readonly engineMicros: number;
  readonly generatorMicros: number;
  readonly perSecond: number;
  readonly relayIdleBytes: number;
  readonly relayBusyBytes: number;
  /** Memory of the relay before its idle nodes connected; 0 without idle nodes. */
  readonly bytesWithoutIdle: number;
  /** Share of all cores in use, 0 … 1. */
  readonly machineBusy: number;
}

/** Pause after the warm-up, for connections to close and garbage to be collected. */
const REST_MS = 500;
/** Pause between the start of the load and the start of the window. */
const SETTLE_MS = 1_500;

export async function measure(target: RunningTarget, scenario: LoadScenario, enginePid: number): Promise<Measurement> {
  const generator = new Generator();
  try {
    await generator.prepare({
      spec: scenario.spec,
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
