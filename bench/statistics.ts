/** Percentiles over samples. All latencies are kept; none are averaged. */
export const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** Nearest-rank percentile of a sorted list; NaN for an empty one. */
export const percentile = (ascending: readonly number[], share: number): number =>
  ascending[Math.min(ascending.length - 1, Math.max(0, Math.ceil(ascending.length * share) - 1))] ?? Number.NaN;

export const median = (values: readonly number[]): number => percentile(sorted(values), 0.5);

export interface Distribution {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export function distribution(values: readonly number[]): Distribution {
  const ascending = sorted(values);
  return {
    count: ascending.length,
    p50: percentile(ascending, 0.5),
    p99: percentile(ascending, 0.99),
    max: ascending.at(-1) ?? Number.NaN,
  };
}
