/** The target values, as data. A figure exists only when all its inputs were measured in the same run. */
import type { Measurement } from '../measure/measure.js';
import { median } from '../statistics.js';
import { medianOf, type Results } from './results.js';

export interface Goal {
  readonly row: string;
  /** What the figure is compared with, e.g. `≤ 1.6 × nginx`. */
  readonly unit: string;
  readonly scenario: string;
  readonly relation: 'at most' | 'at least';
  readonly goal: number;
  readonly stretchGoal: number;
  /** The target value applies only while CPU is left: a run that used up all cores proves nothing. */
  readonly whileCpuLasts?: boolean;
  /** NaN: not measured. */
  readonly figure: (results: Results) => number;
}

const MEBIBYTE = 1_048_576;
const FERRY = 'Ferry';
const NGINX = 'nginx';
const NODE = 'bare Node proxy';
const PORTKEY = 'Portkey gateway';
const SSH = 'ssh -R';

type Pick = (run: Measurement) => number;
const of = (results: Results, scenario: string, target: string, pick: Pick): number =>
  medianOf(results.measurements[scenario]?.[target], pick);
/** The ratio of each round, then the median: a disturbance affects both sides of its round. */
const paired = (
  results: Results,
  scenario: string,
  [one, other]: readonly [string, string],
  combine: (one: Measurement, other: Measurement) => number,
): number => {
  const runs = results.measurements[scenario];
  const others = runs?.[other] ?? [];
  const values = (runs?.[one] ?? []).flatMap((run, index) => {
    const against = others[index];
    return against === undefined ? [] : [combine(run, against)];
  });
  return values.length === 0 ? Number.NaN : median(values);
};

const cpu: Pick = (run) => run.relayMicros;
const cpuRatio =
  (scenario: string, peer: string): Goal['figure'] =>
  (results) =>
    paired(results, scenario, [FERRY, peer], (ferry, other) => ferry.relayMicros / other.relayMicros);
const added =
  (percentile: 'p50' | 'p99'): Goal['figure'] =>
  (results) =>
    paired(
      results,
      'streams-1000',
      [FERRY, NGINX],
      ({ load }, other) => load.firstByte[percentile] - other.load.firstByte[percentile],
    );
const growth: Pick = (run) => run.relayBusyBytes - run.relayIdleBytes;
const idleBytes =
  (idle: number, pick: Pick): Goal['figure'] =>
  (results) =>
    of(results, `idle-${idle}`, `Ferry, ${idle.toLocaleString('en')} idle`, pick);

const atMost = (
  row: string,
  unit: string,
  scenario: string,
  goal: number,
  stretchGoal: number,
  figure: Goal['figure'],
): Goal => ({ row, unit, scenario, relation: 'at most', goal, stretchGoal, figure });

export const goals: readonly Goal[] = [
  atMost(
    '1,000 paced streams: relay CPU per event',
    '× nginx',
    'streams-1000',
    1.6,
    1.1,
    cpuRatio('streams-1000', NGINX),
  ),
  atMost('… against a bare Node proxy', '×', 'streams-1000', 0.8, 0.8, cpuRatio('streams-1000', NODE)),
  atMost('… against the Portkey gateway', '×', 'streams-1000', 0.33, 0.33, cpuRatio('streams-1000', PORTKEY)),
  atMost('… against `ssh -R`', '×', 'streams-1000', 0.4, 0.4, cpuRatio('streams-1000', SSH)),
  atMost('burst: relay CPU per event', '× nginx', 'burst', 0.6, 0.4, cpuRatio('burst', NGINX)),
  atMost('small JSON: relay CPU per request', '× bare Node', 'small-json', 0.75, 0.45, cpuRatio('small-json', NODE)),
  atMost('… against the Portkey gateway', '×', 'small-json', 0.12, 0.12, cpuRatio('small-json', PORTKEY)),
  {
    ...atMost('small JSON: requests/s', '× Portkey', 'small-json', 4, 6, (results) =>
      paired(results, 'small-json', [FERRY, PORTKEY], (ferry, other) => ferry.perSecond / other.perSecond),
    ),
    relation: 'at least',
  },
  atMost('time to first byte at 1,000 streams, added to nginx, p50', 'ms', 'streams-1000', 1.5, 0.8, added('p50')),
  atMost('… p99', 'ms', 'streams-1000', 10, 4, added('p99')),
  atMost('inter-event latency at 1,000 streams, p99', '× nginx', 'streams-1000', 2, 1.2, (results) =>
    paired(results, 'streams-1000', [FERRY, NGINX], ({ load }, other) => load.transit.p99 / other.load.transit.p99),
  ),
  // Enough nodes that the variation of V8's heap is small in comparison.
  atMost('memory per open stream, of 5,000', 'KiB', 'streams-5000', 90, 50, (results) =>
    of(results, 'streams-5000', FERRY, (run) => growth(run) / 1_024 / 5_000),
  ),
  atMost('memory per idle node', 'KiB', 'idle-10000', 20, 10, (results) =>
    idleBytes(10_000, (run) => (run.relayBusyBytes - run.bytesWithoutIdle) / 1_024 / 10_000)(results),
  ),
  atMost(
    'relay with 10,000 idle nodes',
    'MB',
    'idle-10000',
    300,
    150,
    idleBytes(10_000, (run) => run.relayBusyBytes / 1e6),
  ),
  atMost('200 stalled readers of 300 MB each', 'MiB', 'stalled-readers', 50, 20, (results) =>
    of(results, 'stalled-readers', FERRY, (run) => growth(run) / MEBIBYTE),
  ),
  atMost('5,000 streams: dropped', 'streams', 'streams-5000', 0, 0, (results) =>
    of(results, 'streams-5000', FERRY, ({ load }) => load.failures),
  ),
  {
    ...atMost('5,000 streams: longest delay of an event', 'ms', 'streams-5000', 1_000, 250, (results) =>
      of(results, 'streams-5000', FERRY, ({ load }) => load.transit.max),
    ),
    whileCpuLasts: true,
  },
  atMost('16 MiB upload: added to the p99 of small streams', 'ms', 'beside-uploads', 20, 5, (results) =>
    of(results, 'beside-uploads', 'Ferry, one node', ({ load }) => load.transitBeside.p99 - load.transit.p99),
  ),
  atMost('`GET /v1/models`, 200 nodes × 50 models: p99', 'ms', 'models-list', 10, 2, (results) =>
    of(results, 'models-list', 'Ferry, same', ({ load }) => load.firstByte.p99),
  ),
  atMost('… CPU per request with 180 nodes offline against all online', '×', 'models-list', 1.1, 1, (results) =>
    paired(
      results,
      'models-list',
      ['Ferry, same, 180 nodes offline', 'Ferry, same'],
      (offline, online) => offline.relayMicros / online.relayMicros,
    ),
  ),
  atMost('verifying a key, warm', 'µs CPU', 'key-verification', 20, 5, ({ figures }) =>
    median(figures['key-verification']?.['warm_micros'] ?? []),
  ),
  atMost('… queries', 'queries', 'key-verification', 0, 0, ({ figures }) =>
    median(figures['key-verification']?.['warm_look_ups'] ?? []),
  ),
  atMost(
    'CPU per event beside 1,000 idle nodes against 10',
    '×',
    'cost-growth',
    1.05,
    1,
    (results) =>
      of(results, 'cost-growth', 'Ferry, 1,000 idle', cpu) / of(results, 'cost-growth', 'Ferry, 10 idle', cpu),
  ),
];
