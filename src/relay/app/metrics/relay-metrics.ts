import { byLabel, single, type Label, type Metric } from '../../../kernel/metrics/metric.js';
import type { ProcessMetrics } from '../../../kernel/metrics/process-metrics.js';
import { spanMetric } from '../../../kernel/tracing/span-metric.js';
import type { NodeRegistry } from '../../nodes/registry/node-registry.js';
import type { DatabaseMetrics } from '../../platform/database/database-metrics.js';
import type { RelayMeters } from '../../platform/metrics/relay-meters.js';
import type { ReadinessRegistry } from '../../platform/lifecycle/readiness-registry.js';
import type { RelayTraces } from '../../platform/tracing/relay-traces.js';
import type { BusRejections } from '../../replicas/bus/bus-rejections.js';
import type { MessageBus } from '../../replicas/bus/message-bus.js';
import { busMetrics } from './bus-metrics.js';
import type { FleetMetrics } from './fleet-metrics.js';

/** The parts that features register (`ReadinessRegistry.register`). */
const part: Label<'database' | 'bus'> = { name: 'part', values: ['database', 'bus'] };

export interface MetricSources {
  readonly meters: Pick<RelayMeters, 'all'>;
  readonly links: Pick<NodeRegistry, 'openStreams'>;
  readonly fleet: Pick<FleetMetrics, 'all'>;
  readonly database: Pick<DatabaseMetrics, 'all'>;
  readonly bus: Pick<MessageBus, 'counters' | 'status'>;
  readonly rejections: Pick<BusRejections, 'counts'>;
  readonly readiness: Pick<ReadinessRegistry, 'checks'>;
  readonly traces: Pick<RelayTraces, 'spans'>;
  readonly process: Pick<ProcessMetrics, 'all'>;
}

/** All metrics of a relay, in the order of `/metrics` and of docs/operate/monitoring.md. */
export const relayMetrics = (sources: MetricSources): readonly Metric[] => [
  ...sources.meters.all,
  single(
    'gauge',
    'ferry_open_streams',
    'Requests that run on the links of this relay.',
    () => sources.links.openStreams,
  ),
  ...sources.fleet.all,
  ...sources.database.all,
  ...busMetrics(sources.bus, sources.rejections),
  byLabel('gauge', 'ferry_ready', 'Whether a part is up, as in /readyz; 1 for a part that is not used.', part, () =>
    readyParts(sources.readiness),
  ),
  spanMetric('ferry_trace_spans_total', () => sources.traces.spans),
  ...sources.process.all,
];

async function readyParts({ checks }: Pick<ReadinessRegistry, 'checks'>): Promise<Record<'database' | 'bus', number>> {
  const parts = { database: 1, bus: 1 };
  for (const check of checks) {
    const { name } = check;
    if (name === 'database' || name === 'bus') parts[name] = (await check.check()).status === 'up' ? 1 : 0;
  }
  return parts;
}
