/** The target values, as data. A figure exists only when all its inputs were measured in the same run. */
import type { Measurement } from '../measure/measure.js';
import { pairsOf, type Results } from './results.js';

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
  /** It must hold in each round, and not only for their median. */
  readonly inEveryRound?: boolean;
  /** One figure per round; none: not measured. */
  readonly figures: (results: Results) => readonly number[];
}

const MEBIBYTE = 1_048_576;
const FERRY = 'Ferry';
const EMBEDDED = 'Ferry (embedded database)';
const QUIET = 'Ferry (log level warn)';
const METRICS = 'Ferry (metrics)';
const BEFORE = 'Ferry before';
const NGINX = 'nginx';
const NODE = 'bare Node proxy';
const PORTKEY = 'Portkey gateway';
const SSH = 'ssh -R';

/** A figure of a separate program. */
const reported =
  (scenario: string, name: string): Goal['figures'] =>
  ({ figures }) =>
    figures[scenario]?.[name] ?? [];

type Pick = (run: Measurement) => number;
const of = (results: Results, scenario: string, target: string, pick: Pick): readonly number[] =>
  (results.measurements[scenario]?.[target] ?? []).map(pick);
/** Within each round: a disturbance affects both sides of its round. */
const paired = (
  results: Results,
  scenario: string,
  [one, other]: readonly [string, string],
  combine: (one: Measurement, other: Measurement) => number,
): readonly number[] => {
  const runs = results.measurements[scenario];
  return pairsOf(runs?.[one], runs?.[other]).map(([run, against]) => combine(run, against));
};
const ratioOf =
  (scenario: string, targets: readonly [string, string], pick: Pick): Goal['figures'] =>
  (results) =>
    paired(results, scenario, targets, (one, other) => pick(one) / pick(other));

const cpu: Pick = (run) => run.relayMicros;
const transitP99: Pick = ({ load }) => load.transit.p99;
const cpuRatio = (scenario: string, peer: string, target = FERRY): Goal['figures'] =>
  ratioOf(scenario, [target, peer], cpu);
const added =
  (percentile: 'p50' | 'p99'): Goal['figures'] =>
  (results) =>
    paired(
      results,
      'streams-1000',
      [FERRY, NGINX],
      ({ load }, other) => load.firstByte[percentile] - other.load.firstByte[percentile],
    );
const growth: Pick = (run) => run.relayBusyBytes - run.relayIdleBytes;
const idleBytes =
  (idle: number, pick: Pick): Goal['figures'] =>
  (results) =>
    of(results, `idle-${idle}`, `Ferry, ${idle.toLocaleString('en')} idle`, pick);

const atMost = (
  row: string,
  unit: string,
  scenario: string,
  goal: number,
  stretchGoal: number,
  figures: Goal['figures'],
): Goal => ({ row, unit, scenario, relation: 'at most', goal, stretchGoal, figures });

const PACED = 'streams-1000';
const CHURN = 'churn';
const SMALL = 'small-json';

/** Rows, figures, goals and stretch goals in megabytes; on Node 20, on which they were set. What processes share counts once. */
const AT_REST = [
  ['memory after an idle minute: all of `npm run up`', 'npm run up', 300, 260],
  ['… its relay with the embedded database', 'its relay with the embedded database', 180, 140],
  ['… relay on Postgres', 'relay on Postgres', 140, 85],
  ['… node without the built-in engine', 'node without the built-in engine', 90, 60],
] as const;

export const goals: readonly Goal[] = [
  atMost('1,000 paced streams: relay CPU per event', '× nginx', PACED, 1.45, 1.1, cpuRatio(PACED, NGINX)),
  atMost('… against a bare Node proxy', '×', PACED, 0.7, 0.7, cpuRatio(PACED, NODE)),
  atMost('… against the Portkey gateway', '×', PACED, 0.33, 0.33, cpuRatio(PACED, PORTKEY)),
  atMost('… against `ssh -R`', '×', PACED, 0.4, 0.4, cpuRatio(PACED, SSH)),
  atMost(
    '… node CPU per event against the tree before',
    '×',
    PACED,
    0.7,
    0.5,
    ratioOf(PACED, [FERRY, BEFORE], (run) => run.nodeMicros),
  ),
  atMost('… latency of an event, p99', '× ssh -R', PACED, 1, 1, ratioOf(PACED, [FERRY, SSH], transitP99)),
  atMost('… with metrics, read every 2 s, against without', '×', PACED, 1.02, 1, ratioOf(PACED, [METRICS, FERRY], cpu)),
  atMost('beside short streams: first byte of these, p50', 'ms', CHURN, 1.2, 0.8, (results) =>
    of(results, CHURN, FERRY, ({ load }) => load.firstByte.p50),
  ),
  atMost('… p99', 'ms', CHURN, 10, 4, (results) => of(results, CHURN, FERRY, ({ load }) => load.firstByte.p99)),
  atMost(
    '… latency of an event of the long ones, p99',
    '× ssh -R',
    CHURN,
    1,
    1,
    ratioOf(CHURN, [FERRY, SSH], transitP99),
  ),
  atMost('burst: relay CPU per event', '× nginx', 'burst', 0.5, 0.35, cpuRatio('burst', NGINX)),
  atMost('small JSON: relay CPU per request', '× bare Node', SMALL, 1, 0.75, cpuRatio(SMALL, NODE)),
  atMost('… with the embedded database', '× bare Node', SMALL, 1.4, 1, cpuRatio(SMALL, NODE, EMBEDDED)),
  atMost('… against the Portkey gateway', '×', SMALL, 0.12, 0.12, cpuRatio(SMALL, PORTKEY)),
  {
    ...atMost(
      '… requests/s',
      '× Portkey',
      SMALL,
      4,
      6,
      ratioOf(SMALL, [FERRY, PORTKEY], (run) => run.perSecond),
    ),
    relation: 'at least',
    whileCpuLasts: true,
  },
  atMost('… cost of its line in the log', 'µs CPU', SMALL, 3, 1, (results) =>
    paired(results, SMALL, [FERRY, QUIET], (logging, quiet) => logging.relayMicros - quiet.relayMicros),
  ),
  atMost('… with metrics, read every 2 s, against without', '×', SMALL, 1.02, 1, ratioOf(SMALL, [METRICS, FERRY], cpu)),
  atMost('… growth of the relay', 'MB', SMALL, 100, 50, (results) =>
    of(results, SMALL, FERRY, (run) => growth(run) / 1e6),
  ),
  atMost('time to first byte at 1,000 streams, added to nginx, p50', 'ms', 'streams-1000', 1.5, 0.8, added('p50')),
  atMost('… p99', 'ms', 'streams-1000', 10, 4, added('p99')),
  atMost(
    'latency of an event at 1,000 streams, p99',
    '× nginx',
    PACED,
    2,
    1.2,
    ratioOf(PACED, [FERRY, NGINX], transitP99),
  ),
  ...AT_REST.map(([row, process, goal, stretchGoal]) =>
    atMost(row, 'MB', 'memory-at-rest', goal, stretchGoal, reported('memory-at-rest', `Node 20: ${process}, MB`)),
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
  {
    ...atMost('200 stalled readers of 300 MB each, in every round', 'MiB', 'stalled-readers', 50, 20, (results) =>
      of(results, 'stalled-readers', FERRY, (run) => growth(run) / MEBIBYTE),
    ),
    inEveryRound: true,
  },
  atMost('5,000 streams: dropped', 'streams', 'streams-5000', 0, 0, (results) =>
    of(results, 'streams-5000', FERRY, ({ load }) => load.failures),
  ),
  {
    ...atMost('5,000 streams: longest delay of an event', 'ms', 'streams-5000', 1_000, 250, (results) =>
      of(results, 'streams-5000', FERRY, ({ load }) => load.transit.max),
    ),
    whileCpuLasts: true,
  },
  {
    ...atMost(
      '16 MiB upload: added to the p99 of small streams, in every round',
      'ms',
      'beside-uploads',
      20,
      5,
      (results) =>
        of(results, 'beside-uploads', 'Ferry, one node', ({ load }) => load.transitBeside.p99 - load.transit.p99),
    ),
    inEveryRound: true,
  },
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
  atMost('verifying a key, warm', 'µs CPU', 'key-verification', 20, 5, reported('key-verification', 'warm_micros')),
  atMost('… queries', 'queries', 'key-verification', 0, 0, reported('key-verification', 'warm_look_ups')),
  atMost(
    'CPU per event beside 1,000 idle nodes against 10',
    '×',
    'cost-growth',
    1.05,
    1,
    ratioOf('cost-growth', ['Ferry, 1,000 idle', 'Ferry, 10 idle'], cpu),
  ),
];
