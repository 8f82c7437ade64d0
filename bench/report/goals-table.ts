import type { Measurement } from '../measure/measure.js';
import { goals, type Goal } from './goals.js';
import { markdownTable, medianOf, type Results } from './results.js';

const figure = (value: number): string =>
  Number.isInteger(value) ? value.toLocaleString('en') : value.toLocaleString('en', { maximumSignificantDigits: 3 });

/** Above this utilisation, engine, generator and nodes on the same cores left hardly any headroom. */
const SATURATED_SHARE = 0.85;

const holds = ({ relation }: Goal, value: number, limit: number): boolean =>
  relation === 'at most' ? value <= limit : value >= limit;

/** Which processes used the cores. */
function coreUsage(runs: readonly Measurement[] | undefined): string {
  const cores = (micros: (run: Measurement) => number): string =>
    medianOf(runs, (run) => (micros(run) * run.perSecond) / 1e6).toFixed(2);
  return `no CPU left: cores used by relay ${cores((run) => run.relayMicros)}, nodes ${cores((run) => run.nodeMicros)}, engine ${cores((run) => run.engineMicros)}, generator ${cores((run) => run.generatorMicros)}`;
}

export function verdict(goal: Goal, results: Results): string {
  const value = goal.figure(results);
  if (!Number.isFinite(value)) {
    const why = results.notMeasured.find((line) => line.startsWith(`${goal.scenario}, `));
    return `not measured (${why ?? `${goal.scenario} was not part of this run, or not beside this target`})`;
  }
  // Garbage was collected during the window, so the growth under load is unknown.
  if (value < 0 && /B$/.test(goal.unit)) return 'not measured (the relay gave back more memory meanwhile)';
  if (goal.whileCpuLasts === true && !holds(goal, value, goal.goal)) {
    const runs = results.measurements[goal.scenario]?.['Ferry'];
    const busy = medianOf(runs, (run) => run.machineBusy);
    if (busy > SATURATED_SHARE) return `not measured (${coreUsage(runs)})`;
  }
  if (holds(goal, value, goal.stretchGoal)) return 'met, also the stretch goal';
  return holds(goal, value, goal.goal) ? 'met' : '**not met**';
}

/** One row per target value: the figure, the limit and whether it holds. */
export function goalsTable(results: Results): string {
  const rows = goals.map((goal) => {
    const sign = goal.relation === 'at most' ? '≤' : '≥';
    const value = goal.figure(results);
    return [
      goal.row,
      `${sign} ${figure(goal.goal)} ${goal.unit}`,
      `${sign} ${figure(goal.stretchGoal)} ${goal.unit}`,
      Number.isFinite(value) ? `${figure(value)} ${goal.unit}` : '–',
      verdict(goal, results),
    ];
  });
  return markdownTable(['row', 'goal', 'stretch goal', 'measured', ''], rows);
}
