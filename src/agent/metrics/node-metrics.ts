import { modelStates, type ModelState } from '../../kernel/dialect.js';
import { byLabel, single, type Label, type Metric, type Sample } from '../../kernel/metrics/metric.js';
import type { ProcessMetrics } from '../../kernel/metrics/process-metrics.js';
import { spanMetric } from '../../kernel/tracing/span-metric.js';
import type { TraceExport } from '../../kernel/tracing/trace-export.js';
import type { ModelReport, StatusMessage } from '../../link/messages.js';
import type { ConnectionManager } from '../connection/connection-manager.js';
import type { Engine, EngineCondition } from '../engines/engine.js';
import type { HostMonitor } from '../host/host-monitor.js';
import { engineLabel } from './engine-counter.js';
import type { NodeMeters } from './node-meters.js';

const condition: Label<EngineCondition['is']> = { name: 'state', values: ['answering', 'loading', 'unreachable'] };
const slotState: Label<'used' | 'free'> = { name: 'state', values: ['used', 'free'] };
const modelState: Label<ModelState> = { name: 'state', values: modelStates };
const memoryState: Label<'used' | 'free'> = { name: 'state', values: ['used', 'free'] };
const quantile: Label<'0.5' | '1'> = { name: 'quantile', values: ['0.5', '1'] };

const MILLISECONDS_PER_SECOND = 1_000;

/** The part of the engine catalogue that is counted. */
interface CountedCatalogue {
  readonly engines: readonly Pick<Engine, 'name' | 'condition'>[];
  slots(): readonly Pick<StatusMessage['engines'][number], 'name' | 'slots_used' | 'slots_total'>[];
  readonly reports: readonly Pick<ModelReport, 'engine' | 'state'>[];
}

export interface NodeMetricSources {
  readonly meters: Pick<NodeMeters, 'all'>;
  readonly catalogue: CountedCatalogue;
  readonly connection: Pick<ConnectionManager, 'links' | 'wantedLinks' | 'roundTripsMs'>;
  readonly host: Pick<HostMonitor, 'report'>;
  /** Absent: no traces are exported. */
  readonly traces?: Pick<TraceExport, 'spans'> | undefined;
  readonly process: Pick<ProcessMetrics, 'all'>;
}

/** All metrics of a node, in the order of `/metrics` and of docs/operate/monitoring.md. */
export const nodeMetrics = ({
  meters,
  catalogue,
  connection,
  host,
  traces,
  process,
}: NodeMetricSources): readonly Metric[] => [
  ...meters.all,
  single('gauge', 'ferry_node_links', 'Links to relays that serve requests.', () => connection.links),
  single(
    'gauge',
    'ferry_node_links_wanted',
    'Links that the node should have: one for each relay process, up to the limit of the relay.',
    () => connection.wantedLinks,
  ),
  byLabel(
    'gauge',
    'ferry_node_link_round_trip_seconds',
    'Round trip of the links now: the median and the longest; 0 before the first measurement.',
    quantile,
    () => roundTrips(connection.roundTripsMs),
  ),
  byEngine('ferry_node_engine_state', 'Whether an engine is in this state.', condition, () =>
    catalogue.engines.map(({ name, condition: { is } }) => ({ engine: name, counts: { [is]: 1 } })),
  ),
  byEngine('ferry_node_slots', 'Slots of an engine.', slotState, () =>
    catalogue.slots().map(({ name, slots_used: used, slots_total: total }) => ({
      engine: name,
      counts: { used, free: Math.max(0, total - used) },
    })),
  ),
  byEngine('ferry_node_models', 'Models of an engine.', modelState, () => countModels(catalogue)),
  byLabel(
    'gauge',
    'ferry_node_memory_bytes',
    'Memory of the computer, or of the container of the node; both 0 before the first reading.',
    memoryState,
    () => memoryOf(host.report()),
  ),
  spanMetric('ferry_node_trace_spans_total', () => traces?.spans),
  ...process.all,
];

interface EngineCounts<Value extends string> {
  readonly engine: string;
  /** Absent ones are 0. */
  readonly counts: Readonly<Partial<Record<Value, number>>>;
}

/** A gauge of each present engine. */
const byEngine = <Value extends string>(
  name: string,
  help: string,
  label: Label<Value>,
  read: () => readonly EngineCounts<Value>[],
): Metric => ({
  name,
  help,
  type: 'gauge',
  labels: [engineLabel, label],
  samples: () =>
    read().flatMap(({ engine, counts }) =>
      label.values.map((value): Sample => ({ labels: { engine, [label.name]: value }, value: counts[value] ?? 0 })),
    ),
});

function countModels({ engines, reports }: CountedCatalogue): readonly EngineCounts<ModelState>[] {
  const counted = new Map(engines.map(({ name }) => [name, { ...noModels }]));
  for (const { engine, state } of reports) {
    const counts = counted.get(engine);
    if (counts !== undefined) counts[state] += 1;
  }
  return Array.from(counted, ([engine, counts]) => ({ engine, counts }));
}

const noModels: Readonly<Record<ModelState, number>> = { installed: 0, loading: 0, loaded: 0, unloading: 0, failed: 0 };

function memoryOf({
  memory_total_bytes: total,
  memory_free_bytes: free,
}: ReturnType<HostMonitor['report']>): Record<'used' | 'free', number> {
  return typeof total !== 'number' || free === null ? { used: 0, free: 0 } : { used: total - free, free };
}

function roundTrips(ms: readonly number[]): Record<'0.5' | '1', number> {
  const sorted = [...ms].sort((a, b) => a - b);
  const seconds = (at: number): number => (sorted[at] ?? 0) / MILLISECONDS_PER_SECOND;
  return { '0.5': seconds(Math.floor((sorted.length - 1) / 2)), '1': seconds(sorted.length - 1) };
}
