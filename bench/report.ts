/** Results as JSON for programs and as Markdown for people. */
import { cpus, release, totalmem } from 'node:os';
import type { Measurement } from './measure/measure.js';
import type { Scenario } from './scenarios.js';
import { median } from './statistics.js';

export interface Results {
  readonly date: string;
  readonly machine: string;
  readonly alternations: number;
  readonly versions: Readonly<Record<string, string>>;
  /** scenario → target → one measurement per alternation */
  readonly measurements: Record<string, Record<string, Measurement[]>>;
  /** scenario and target that could not be measured, and why */
  readonly notMeasured: string[];
}

export const machine = (): string => {
  const processors = cpus();
  return `${processors.length} × ${processors[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.version}`;
};

const number = (value: number, digits = 1): string => (Number.isFinite(value) ? value.toFixed(digits) : '–');

export function scenarioTable(scenario: Scenario, measured: Readonly<Record<string, readonly Measurement[]>>): string {
  const of = (runs: readonly Measurement[], pick: (run: Measurement) => number): number => median(runs.map(pick));
  const baseline = measured['nginx'];
  const base = baseline === undefined ? Number.NaN : of(baseline, (run) => run.relayMicros);
  const rows = Object.entries(measured).map(([name, runs]) => {
    const relay = of(runs, (run) => run.relayMicros);
    const cells = [
      name,
      relay > 0 ? number(relay) : '–',
      relay > 0 ? number(relay / base, 2) : '–',
      of(runs, (run) => run.nodeMicros) > 0 ? number(of(runs, (run) => run.nodeMicros)) : '–',
      number(
        of(runs, (run) => run.perSecond),
        0,
      ),
      `${number(
        of(runs, (run) => run.load.transit.p50),
        2,
      )} / ${number(of(runs, (run) => run.load.transit.p99))}`,
      `${number(
        of(runs, (run) => run.load.firstByte.p50),
        2,
      )} / ${number(of(runs, (run) => run.load.firstByte.p99))}`,
      relay > 0
        ? number(
            of(runs, (run) => (run.relayBusyBytes - run.relayIdleBytes) / 1_024 / scenario.order.connections),
            0,
          )
        : '–',
      String(runs.reduce((sum, run) => sum + run.load.failures, 0)),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    `### ${scenario.title}`,
    '',
    `| target | relay CPU µs per ${scenario.unit} | × nginx | node CPU µs per ${scenario.unit} | ${scenario.unit}s/s | transit p50 / p99 ms | first byte p50 / p99 ms | KiB per connection | failures |`,
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

export function renderReport(results: Results, scenarios: readonly Scenario[]): string {
  const versions = Object.entries(results.versions).map(([name, version]) => `${name} ${version}`);
  const tables = scenarios.flatMap((scenario) => {
    const measured = results.measurements[scenario.name];
    return measured === undefined ? [] : [scenarioTable(scenario, measured)];
  });
  const missing = results.notMeasured.map((line) => `- not measured: ${line}`);
  return [
    `Measured ${results.date} on ${results.machine}; medians of ${results.alternations} alternations, all targets in turn in the same run. Versions: ${versions.join(' · ')}.`,
    '',
    ...tables,
    ...missing,
    '',
  ].join('\n');
}
