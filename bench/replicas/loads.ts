import type { StreamsLoadSpec } from '../load/load-protocol.js';
import { measure } from '../measure/measure.js';
import { median } from '../statistics.js';
import type { RunningTarget } from '../targets/target.js';

/** What is measured: one more event of running streams, or a whole request with an answer of one event. */
const units = ['event', 'request'] as const;
type Unit = (typeof units)[number];

/** CPU of the relays per unit; latency of an event through everything, or until the first byte of an answer. */
interface Cost {
  readonly micros: number;
  readonly p50Ms: number;
}
export type Costs = Readonly<Record<Unit, Readonly<Record<string, Cost>>>>;

/** Of all relays together, whatever their number. */
const STREAMS = 90;
const EVENT_INTERVAL_MS = 50;
const REQUEST_INTERVAL_MS = 5;
const WINDOW_MS = 6_000;
const SETTLE_MS = 3_000;
const RAMP_MS = 1_000;
const WARM_UP_MS = 4_000;
const ROUNDS = 3;

const specOf = (unit: Unit, relays: number): StreamsLoadSpec => ({
  kind: 'streams',
  connections: unit === 'event' ? STREAMS / relays : 0,
  rampMs: unit === 'event' ? RAMP_MS : 0,
  intervalMs: EVENT_INTERVAL_MS,
  lastsMs: SETTLE_MS + WINDOW_MS,
  padBytes: 20,
  // Probes are requests with one event each, on a fixed schedule.
  probeIntervalMs: unit === 'event' ? 0 : REQUEST_INTERVAL_MS * relays,
});

/**
 * The same load in total for each place, spread evenly over its targets. Places alternate, so that what else the machine does affects all.
 * @returns by unit and place, the median of the rounds
 */
export async function measureCosts(
  places: Readonly<Record<string, readonly RunningTarget[]>>,
  enginePid: number,
): Promise<Costs> {
  const cost: Record<Unit, Record<string, Cost>> = { event: {}, request: {} };
  for (const unit of units) {
    const rounds: Record<string, Cost[]> = {};
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [place, targets] of Object.entries(places))
        (rounds[place] ??= []).push(await measureOnce(unit, targets, enginePid, round === 0 ? WARM_UP_MS : 0));
    for (const [place, costs] of Object.entries(rounds))
      cost[unit][place] = {
        micros: median(costs.map(({ micros }) => micros)),
        p50Ms: median(costs.map(({ p50Ms }) => p50Ms)),
      };
  }
  return cost;
}

async function measureOnce(
  unit: Unit,
  targets: readonly RunningTarget[],
  enginePid: number,
  warmUpMs: number,
): Promise<Cost> {
  const scenario = {
    kind: 'load',
    name: unit,
    title: unit,
    onlyFull: false,
    unit: 'event',
    spec: specOf(unit, targets.length),
    warmUpMs,
    windowMs: WINDOW_MS,
  } as const;
  const measured = await Promise.all(targets.map((target) => measure(target, scenario, enginePid)));
  let microsPerSecond = 0;
  let perSecond = 0;
  for (const one of measured) {
    const { failures, firstFailure } = one.load;
    if (failures > 0) throw new Error(`${failures} requests failed: ${firstFailure ?? ''}`);
    microsPerSecond += one.relayMicros * one.perSecond;
    perSecond += one.perSecond;
  }
  const latencies = measured.map(({ load }) => (unit === 'event' ? load.transit : load.firstByte).p50);
  const cost = { micros: microsPerSecond / perSecond, p50Ms: median(latencies) };
  process.stderr.write(
    `${unit}s at ${perSecond.toFixed(0)}/s: ${cost.micros.toFixed(1)} µs, ${cost.p50Ms.toFixed(2)} ms\n`,
  );
  return cost;
}
