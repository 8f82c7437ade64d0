/** One target under one scenario: its load, and what its processes cost meanwhile. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { pidOf, startProgram, stop } from '../child.js';
import type { LoadOrder, LoadResult } from '../load/generator.js';
import type { Scenario } from '../scenarios.js';
import type { RunningTarget } from '../targets/target.js';
import { usageOf } from './process-usage.js';

export interface Measurement {
  readonly load: LoadResult;
  /** CPU microseconds per event or request, over the steady middle of the run. */
  readonly relayMicros: number;
  readonly nodeMicros: number;
  readonly perSecond: number;
  readonly relayIdleBytes: number;
  readonly relayBusyBytes: number;
}

type Answer = { readonly mark: number } | { readonly result: LoadResult };

/** Cut off at both ends, so that opening and closing the streams is not counted as their running cost. */
const MARGIN_MS = 1_000;

export async function measure(target: RunningTarget, scenario: Scenario): Promise<Measurement> {
  const generator = startProgram('load/generator.ts');
  pidOf(generator);
  await delay(700);
  const relayIdleBytes = usageOf(target.relayPids).residentBytes;
  const order: LoadOrder = { ...scenario.order, url: target.url, headers: target.headers };
  const steadyMs =
    order.kind === 'streams'
      ? order.events * order.intervalMs - order.rampMs - 2 * MARGIN_MS
      : order.durationMs - 2 * MARGIN_MS;
  const finished = new Promise<LoadResult>((resolve) => {
    generator.on('message', (answer: Answer) => {
      if ('result' in answer) resolve(answer.result);
    });
  });
  const mark = async (): Promise<{ units: number; at: number; relay: number; node: number }> => {
    const answered = new Promise<number>((resolve) => {
      const listen = (answer: Answer): void => {
        if (!('mark' in answer)) return;
        generator.off('message', listen);
        resolve(answer.mark);
      };
      generator.on('message', listen);
    });
    generator.send('mark');
    const units = await answered;
    return {
      units,
      at: performance.now(),
      relay: usageOf(target.relayPids).cpuSeconds,
      node: usageOf(target.nodePids).cpuSeconds,
    };
  };
  generator.send(order);
  await delay(order.rampMs + MARGIN_MS);
  const from = await mark();
  await delay(Math.max(500, steadyMs));
  const to = await mark();
  const relayBusyBytes = usageOf(target.relayPids).residentBytes;
  const load = await finished;
  const exited = once(generator, 'exit');
  await Promise.all([stop(generator), exited]);
  const units = Math.max(1, to.units - from.units);
  return {
    load,
    relayMicros: ((to.relay - from.relay) * 1_000_000) / units,
    nodeMicros: ((to.node - from.node) * 1_000_000) / units,
    perSecond: (units * 1_000) / (to.at - from.at),
    relayIdleBytes,
    relayBusyBytes,
  };
}
