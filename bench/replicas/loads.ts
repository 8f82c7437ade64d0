import type { StreamsLoadSpec } from '../load/load-protocol.js';
import { measure } from '../measure/measure.js';
import type { TestRelay } from '../../test/support/process/test-relay.js';
import type { RelaySet } from './relay-set.js';

/** What is measured: one more event of running streams, or a whole request with a response of one event. */
const units = ['event', 'request'] as const;
type Unit = (typeof units)[number];

/** CPU of the relays per unit; latency of an event through everything, or until the first byte of a response. */
interface Cost {
  readonly micros: number;
  readonly p50Ms: number;
}
export type Costs = Readonly<Record<Unit, Readonly<Record<string, Cost>>>>;

/** `total`: of all relays together, whatever their number. `each`: of each relay, a third of that. */
export type LoadOf = 'total' | 'each';
const LARGEST_SET = 3;
const STREAMS = 180;
const EVENT_INTERVAL_MS = 50;
const REQUEST_INTERVAL_MS = 3;
const WINDOW_MS = 5_000;
const SETTLE_MS = 2_000;
const RAMP_MS = 1_000;
/** Streams outlive the window by the time for reading the figures. */
const SPARE_MS = 1_500;
const WARM_UP_MS = 4_000;
/** The path of a request is long, and is compiled in steps while some thousand requests take it: with several relays each gets a part of them. */
const REQUEST_WARM_UP_MS = 40_000;
const ROUNDS = 3;
const REST_MS = 5_000;

const specOf = (unit: Unit, parts: number): StreamsLoadSpec => ({
  kind: 'streams',
  connections: unit === 'event' ? STREAMS / parts : 0,
  rampMs: unit === 'event' ? RAMP_MS : 0,
  intervalMs: EVENT_INTERVAL_MS,
  lastsMs: SETTLE_MS + WINDOW_MS + SPARE_MS,
  padBytes: 20,
  // Probes are requests with one event each, on a fixed schedule.
  probeIntervalMs: unit === 'event' ? 0 : REQUEST_INTERVAL_MS * parts,
  probeEvents: 1,
});

/** Where the clients are. CPU is counted over all relays of the set, without what they take at rest. */
export interface Place {
  readonly set: RelaySet;
  readonly relays: readonly TestRelay[];
}

/**
 * The load, spread evenly over the relays of each place. Places alternate, so that what else the machine does affects all.
 * @returns by unit and place, the mean of the rounds
 */
export async function measureCosts(
  places: Readonly<Record<string, Place>>,
  enginePid: number,
  loadOf: LoadOf = 'total',
): Promise<Costs> {
  const rounds: Record<Unit, Record<string, Cost[]>> = { event: {}, request: {} };
  const atRest = new Map<RelaySet, number>();
  for (const unit of units)
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [name, place] of Object.entries(places)) {
        const restShare = atRest.get(place.set) ?? (await place.set.cpuShare(REST_MS));
        atRest.set(place.set, restShare);
        const warmUpMs = unit === 'event' ? WARM_UP_MS : REQUEST_WARM_UP_MS;
        const parts = loadOf === 'total' ? place.relays.length : LARGEST_SET;
        const cost = await measureOnce(specOf(unit, parts), place, enginePid, round === 0 ? warmUpMs : 0, restShare);
        (rounds[unit][name] ??= []).push(cost);
        process.stderr.write(`${name}: ${unit} ${JSON.stringify(cost)}\n`);
      }
  const means = (unit: Unit): Record<string, Cost> =>
    Object.fromEntries(
      Object.entries(rounds[unit]).map(([name, costs]) => [
        name,
        { micros: mean(costs.map(({ micros }) => micros)), p50Ms: mean(costs.map(({ p50Ms }) => p50Ms)) },
      ]),
    );
  return { event: means('event'), request: means('request') };
}

async function measureOnce(
  spec: StreamsLoadSpec,
  { set, relays }: Place,
  enginePid: number,
  warmUpMs: number,
  restShare: number,
): Promise<Cost> {
  const scenario = {
    kind: 'load',
    name: 'load',
    title: 'load',
    onlyFull: false,
    unit: 'event',
    spec,
    warmUpMs,
    settleMs: SETTLE_MS,
    windowMs: WINDOW_MS,
  } as const;
  const measured = await Promise.all(
    // The first one counts all relays.
    relays.map((relay, at) => measure(set.target(relay, at === 0 ? set.relays : []), scenario, enginePid)),
  );
  for (const { load } of measured)
    if (load.failures > 0) throw new Error(`${load.failures} requests failed: ${load.firstFailure ?? ''}`);
  const perSecond = measured.reduce((sum, one) => sum + one.perSecond, 0);
  const microsPerSecond = measured.reduce((sum, one) => sum + one.relayMicros * one.perSecond, 0);
  const latencies = measured.map(({ load }) => (spec.connections > 0 ? load.transit : load.firstByte).p50);
  return { micros: (microsPerSecond - restShare * 1e6) / perSecond, p50Ms: mean(latencies) };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
