/** What a run leaves behind, and how figures are read from it. */
import { cpus, release, totalmem } from 'node:os';
import type { Measurement } from '../measure/measure.js';
import { median } from '../statistics.js';

export interface Results {
  /** ISO, to the second. */
  readonly date: string;
  readonly machine: string;
  /** Of Ferry. */
  readonly commit: string;
  readonly alternations: number;
  readonly versions: Record<string, string>;
  /** scenario → target → one measurement per alternation */
  readonly measurements: Record<string, Record<string, Measurement[]>>;
  /** scenario → name → one figure per alternation */
  readonly figures: Record<string, Record<string, number[]>>;
  /** scenario and target that could not be measured, and why */
  readonly notMeasured: string[];
}

export const machine = (): string => {
  const processors = cpus();
  return `${processors.length} × ${processors[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.version}`;
};

/**
 * @param again scenarios that this run measures, whatever became of them before
 * @throws when the earlier run was of another machine, commit or number of rounds: its tables would not belong beside these
 */
export function continued(earlier: string, now: Results, again: readonly string[]): Results {
  const results = JSON.parse(earlier) as Results;
  for (const what of ['machine', 'commit', 'alternations'] as const) {
    if (results[what] !== now[what])
      throw new Error(`the earlier run has ${what} ${results[what]}, this one ${now[what]}`);
  }
  const isOld = (line: string): boolean => again.some((name) => line.startsWith(`${name}, `));
  return { ...results, notMeasured: results.notMeasured.filter((line) => !isOld(line)) };
}

/** The median of one figure over the alternations; NaN when it was not measured. */
export const medianOf = (runs: readonly Measurement[] | undefined, pick: (run: Measurement) => number): number =>
  runs === undefined || runs.length === 0 ? Number.NaN : median(runs.map(pick));

export const number = (value: number, digits = 1): string =>
  Number.isFinite(value)
    ? value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : '–';

export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
