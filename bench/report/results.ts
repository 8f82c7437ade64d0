/** Results of a run and the figures read from them. */
import { cpus, release, totalmem } from 'node:os';
import type { Measurement } from '../measure/measure.js';
import { median } from '../statistics.js';

export interface Results {
  /** ISO 8601, to the second. */
  readonly date: string;
  readonly machine: string;
  /** The public side had a core of its own, and all else the others. */
  readonly pinned: boolean;
  /** Version of Ferry. */
  readonly commit: string;
  readonly alternations: number;
  readonly versions: Record<string, string>;
  /** scenario → target → one measurement per round */
  readonly measurements: Record<string, Record<string, Measurement[]>>;
  /** scenario → name → one figure per round */
  readonly figures: Record<string, Record<string, number[]>>;
  /** Scenarios and targets that could not be measured, with the reason. */
  readonly notMeasured: string[];
}

export const machine = (): string => {
  const processors = cpus();
  return `${processors.length} × ${processors[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.version}`;
};

/**
 * @param again scenarios that this run measures, which replace earlier results
 * @throws when the earlier run has another machine, commit or number of rounds, so that its tables are not comparable
 */
export function continued(earlier: string, now: Results, again: readonly string[]): Results {
  const results = JSON.parse(earlier) as Results;
  for (const what of ['machine', 'pinned', 'commit', 'alternations'] as const) {
    if (results[what] !== now[what])
      throw new Error(`the earlier run has ${what} ${results[what]}, this one ${now[what]}`);
  }
  const isOld = (line: string): boolean => again.some((name) => line.startsWith(`${name}, `));
  return { ...results, notMeasured: results.notMeasured.filter((line) => !isOld(line)) };
}

/** The median of one figure over the rounds; NaN when it was not measured. */
export const medianOf = (runs: readonly Measurement[] | undefined, pick: (run: Measurement) => number): number =>
  runs === undefined || runs.length === 0 ? Number.NaN : median(runs.map(pick));

/** Measurements of two targets in the same round. */
export const pairsOf = (
  runs: readonly Measurement[] | undefined,
  others: readonly Measurement[] | undefined,
): (readonly [Measurement, Measurement])[] =>
  (runs ?? []).flatMap((run) => {
    const other = others?.find(({ round }) => round === run.round);
    return other === undefined ? [] : [[run, other] as const];
  });

/**
 * Relay CPU of two targets: within each round, then the median. A round in which one of both failed does not count; NaN when none is left.
 */
export const cpuRatio = (
  runs: readonly Measurement[] | undefined,
  baseline: readonly Measurement[] | undefined,
): number => {
  const values = pairsOf(runs, baseline).map(([run, against]) => run.relayMicros / against.relayMicros);
  return values.length === 0 ? Number.NaN : median(values);
};

/** Smallest and largest of the rounds. */
export const rangeOf = (
  runs: readonly Measurement[] | undefined,
  pick: (run: Measurement) => number,
): readonly [number, number] => {
  const values = (runs ?? []).map(pick);
  return values.length === 0 ? [Number.NaN, Number.NaN] : [Math.min(...values), Math.max(...values)];
};

export const number = (value: number, digits = 1): string =>
  Number.isFinite(value)
    ? value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : '–';

export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
