import { byLabel, type Label, type Metric } from '../metrics/metric.js';

/** Spans since the start of the process. */
export interface SpanCounts {
  readonly exported: number;
  readonly dropped: number;
}

const result: Label<keyof SpanCounts> = { name: 'result', values: ['exported', 'dropped'] };
const none: SpanCounts = { exported: 0, dropped: 0 };

/** @param read undefined: nothing is exported */
export const spanMetric = (name: string, read: () => SpanCounts | undefined): Metric =>
  byLabel(
    'counter',
    name,
    'Spans of traces: exported, or dropped because the collector is away, too slow or refuses them.',
    result,
    () => read() ?? none,
  );
