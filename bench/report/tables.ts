/** One table per scenario. */
import type { Measurement } from '../measure/measure.js';
import type { LoadScenario, Scenario } from '../scenarios/scenario.js';
import { median } from '../statistics.js';
import { cpuRatio, markdownTable, medianOf, number, rangeOf, type Results } from './results.js';

type Runs = readonly Measurement[];

const MEBIBYTE = 1_048_576;
const referencedGrowthBytes = ({ heap }: Measurement): number =>
  heap === null ? Number.NaN : heap.busyBytes - heap.idleBytes;
const growthBytes = (run: Measurement): number => run.relayBusyBytes - run.relayIdleBytes;
/** The median of the rounds, with the smallest and the largest. */
const spread = (runs: Runs, pick: (run: Measurement) => number, digits = 1): string => {
  const [least, most] = rangeOf(runs, pick);
  const median = number(medianOf(runs, pick), digits);
  return runs.length < 2 ? median : `${median} <sub>${number(least, digits)}–${number(most, digits)}</sub>`;
};
const pair = (runs: Runs, of: 'transit' | 'transitBeside' | 'firstByte'): string =>
  `${spread(runs, ({ load }) => load[of].p50, 2)} / ${spread(runs, ({ load }) => load[of].p99)}`;

interface Column {
  readonly title: string;
  readonly cell: (runs: Runs, baseline: Runs | undefined) => string;
}

/** A target without a public side has no figures here. */
const relayOnly = (runs: Runs, cell: () => string): string =>
  medianOf(runs, (run) => run.relayMicros) > 0 ? cell() : '–';
function columnsOf({ unit, spec, heap }: LoadScenario): readonly Column[] {
  const relay: Column[] = [
    {
      title: `relay CPU µs per ${unit}`,
      cell: (runs) => relayOnly(runs, () => spread(runs, (run) => run.relayMicros)),
    },
    {
      title: '× nginx',
      cell: (runs, baseline) => relayOnly(runs, () => number(cpuRatio(runs, baseline), 2)),
    },
    {
      title: `node CPU µs per ${unit}`,
      cell: (runs) => (medianOf(runs, (run) => run.nodeMicros) > 0 ? spread(runs, (run) => run.nodeMicros) : '–'),
    },
    {
      title: `database CPU µs per ${unit}`,
      cell: (runs) => {
        const micros = medianOf(runs, (run) => run.databaseMicros);
        return micros > 0 ? number(micros) : '–';
      },
    },
  ];
  const rate: Column = {
    title: `${unit}s/s`,
    cell: (runs) => spread(runs, (run) => run.perSecond, 0),
  };
  const transit: Column = { title: 'transit p50 / p99 ms', cell: (runs) => pair(runs, 'transit') };
  const firstByte: Column = { title: 'first byte p50 / p99 ms', cell: (runs) => pair(runs, 'firstByte') };
  const growth: Column = {
    title: 'memory, MiB',
    cell: (runs) => relayOnly(runs, () => spread(runs, (run) => growthBytes(run) / MEBIBYTE)),
  };
  const failures: Column = {
    title: 'failures',
    cell: (runs) => String(runs.reduce((sum, { load }) => sum + load.failures, 0)),
  };
  const busy: Column = {
    title: 'all cores busy',
    cell: (runs) => `${number(medianOf(runs, (run) => run.machineBusy) * 100, 0)} %`,
  };
  switch (spec.kind) {
    case 'streams':
      return [
        ...relay,
        rate,
        transit,
        {
          title: 'transit max ms',
          cell: (runs) =>
            number(
              medianOf(runs, ({ load }) => load.transit.max),
              0,
            ),
        },
        firstByte,
        {
          title: 'resident KiB per stream',
          cell: (runs) => relayOnly(runs, () => number(medianOf(runs, growthBytes) / 1_024 / spec.connections, 0)),
        },
        ...(heap === true
          ? [
              {
                title: 'referenced KiB per stream',
                cell: (runs: Runs) =>
                  runs.some((run) => run.heap === null)
                    ? '–'
                    : number(medianOf(runs, referencedGrowthBytes) / 1_024 / spec.connections, 1),
              },
            ]
          : []),
        busy,
        failures,
      ];
    case 'bursts':
      return [...relay, rate, transit, firstByte, busy, failures];
    case 'requests':
    case 'schedule':
      return [...relay, rate, firstByte, busy, failures];
    case 'stalled':
      return [growth, busy];
    case 'uploads':
      return [transit, { title: 'beside p50 / p99 ms', cell: (runs) => pair(runs, 'transitBeside') }, busy, failures];
    case 'rest':
      return [
        {
          title: 'relay CPU ms/s',
          cell: (runs) => number(medianOf(runs, (run) => run.relayMicros) / 1_000, 2),
        },
        {
          title: 'relay MiB',
          cell: (runs) => number(medianOf(runs, (run) => run.relayBusyBytes) / MEBIBYTE, 0),
        },
        {
          title: 'of that for idle nodes, MiB',
          cell: (runs) => number(medianOf(runs, (run) => run.relayBusyBytes - run.bytesWithoutIdle) / MEBIBYTE, 0),
        },
      ];
  }
}

/** Engine and generator take CPU from the target; comparing runs requires their share. */
function shared(scenario: LoadScenario, measured: Readonly<Record<string, Runs>>): readonly string[] {
  if (scenario.unit === 'second') return [];
  const runs = Object.values(measured).flat();
  const engine = medianOf(runs, (run) => run.engineMicros);
  const generator = medianOf(runs, (run) => run.generatorMicros);
  return [`Engine ${number(engine)} µs and generator ${number(generator)} µs per ${scenario.unit}.`];
}

export function scenarioTable(scenario: Scenario, results: Results): string {
  const heading = [`### ${scenario.title}`, '', ...(scenario.note === undefined ? [] : [scenario.note, ''])];
  if (scenario.kind === 'program') {
    const rows = Object.entries(results.figures[scenario.name] ?? {}).map(([name, values]) => [
      name.replaceAll('_', ' '),
      number(median(values), 2),
    ]);
    return [...heading, markdownTable(['figure', 'median'], rows), ''].join('\n');
  }
  const measured = results.measurements[scenario.name] ?? {};
  const columns = columnsOf(scenario);
  const rows = Object.entries(measured).map(([name, runs]) => [
    name,
    ...columns.map(({ cell }) => cell(runs, measured['nginx'])),
  ]);
  return [
    ...heading,
    markdownTable(['target', ...columns.map(({ title }) => title)], rows),
    '',
    ...shared(scenario, measured),
    '',
  ].join('\n');
}
