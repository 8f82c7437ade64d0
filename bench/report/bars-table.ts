import type { Measurement } from '../measure/measure.js';
import { bars, type Bar } from './bars.js';
import { markdownTable, medianOf, type Results } from './results.js';

const figure = (value: number): string =>
  Number.isInteger(value) ? value.toLocaleString('en') : value.toLocaleString('en', { maximumSignificantDigits: 3 });

/** Above this utilisation, engine, generator and nodes on the same cores left hardly any headroom. */
const SATURATED_SHARE = 0.85;

const holds = ({ relation }: Bar, value: number, limit: number): boolean =>
  relation === 'at most' ? value <= limit : value >= limit;

/** Which processes used the cores. */
function coreUsage(runs: readonly Measurement[] | undefined): string {
  const cores = (micros: (run: Measurement) => number): string =>
    medianOf(runs, (run) => (micros(run) * run.perSecond) / 1e6).toFixed(2);
  return `no CPU left: cores used by relay ${cores((run) => run.relayMicros)}, nodes ${cores((run) => run.nodeMicros)}, engine ${cores((run) => run.engineMicros)}, generator ${cores((run) => run.generatorMicros)}`;
}

export function verdict(bar: Bar, results: Results): string {
  const value = bar.figure(results);
  if (!Number.isFinite(value)) {
    const why = results.notMeasured.find((line) => line.startsWith(`${bar.scenario}, `));
    return `not measured (${why ?? `${bar.scenario} was not part of this run, or not beside this target`})`;
  }
  // Garbage was collected during the window, so the growth under load is unknown.
  if (value < 0 && /B$/.test(bar.unit)) return 'not measured (the relay gave back more memory meanwhile)';
  if (bar.whileCpuLasts === true && !holds(bar, value, bar.bar)) {
    const runs = results.measurements[bar.scenario]?.['Ferry'];
    const busy = medianOf(runs, (run) => run.machineBusy);
    if (busy > SATURATED_SHARE) return `not measured (${coreUsage(runs)})`;
  }
  if (holds(bar, value, bar.moonshot)) return 'met, moonshot too';
  return holds(bar, value, bar.bar) ? 'met' : '**not met**';
}

/** One row per target value: the figure, the limit and whether it holds. */
export function barsTable(results: Results): string {
  const rows = bars.map((bar) => {
    const sign = bar.relation === 'at most' ? '≤' : '≥';
    const value = bar.figure(results);
    return [
      bar.row,
      `${sign} ${figure(bar.bar)} ${bar.unit}`,
      `${sign} ${figure(bar.moonshot)} ${bar.unit}`,
      Number.isFinite(value) ? `${figure(value)} ${bar.unit}` : '–',
      verdict(bar, results),
    ];
  });
  return markdownTable(['row', 'bar', 'moonshot', 'measured', ''], rows);
}
