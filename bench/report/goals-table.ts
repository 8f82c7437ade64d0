import type { Measurement } from '../measure/measure.js';
import { median } from '../statistics.js';
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
  const values = goal.figures(results);
  if (values.length === 0 || !values.every(Number.isFinite)) {
    const why = results.notMeasured.find((line) => line.startsWith(`${goal.scenario}, `));
    return `not measured (${why ?? `${goal.scenario} was not part of this run, or not beside this target`})`;
  }
  const value = valueOf(goal, values);
  // Garbage was collected during the window, so the growth under load is unknown.
  if (value < 0 && /B$/.test(goal.unit)) return 'not measured (the relay gave back more memory meanwhile)';
  if (goal.whileCpuLasts === true && !holds(goal, value, goal.goal)) {
    const runs = results.measurements[goal.scenario]?.['Ferry'];
    const busy = medianOf(runs, (run) => run.machineBusy);
    if (busy > SATURATED_SHARE) return `not measured (${coreUsage(runs)})`;
  }
  if (holds(goal, value, goal.stretchGoal)) return 'met, also the stretch goal';
  if (holds(goal, value, goal.goal)) return 'met';
  // A difference smaller than that between rounds decides nothing.
  const someHold = goal.inEveryRound !== true && values.some((one) => holds(goal, one, goal.goal));
  return someHold ? 'equal, within the spread of the rounds' : '**not met**';
}

/** The median of the rounds, or the worst one where the goal is for each of them. */
function valueOf({ inEveryRound, relation }: Goal, values: readonly number[]): number {
  if (inEveryRound !== true) return median(values);
  return relation === 'at most' ? Math.max(...values) : Math.min(...values);
}

function measuredText(goal: Goal, values: readonly number[]): string {
  if (values.length === 0 || !values.every(Number.isFinite)) return '–';
  const text = `${figure(valueOf(goal, values))} ${goal.unit}`;
  return values.length < 2 ? text : `${text} <sub>${figure(Math.min(...values))}–${figure(Math.max(...values))}</sub>`;
}

/** One row per target value: the figure, the limit and whether it holds. */
export function goalsTable(results: Results): string {
  const rows = goals.map((goal) => {
    const sign = goal.relation === 'at most' ? '≤' : '≥';
    return [
      goal.row,
      `${sign} ${figure(goal.goal)} ${goal.unit}`,
      `${sign} ${figure(goal.stretchGoal)} ${goal.unit}`,
      measuredText(goal, goal.figures(results)),
      verdict(goal, results),
    ];
  });
  return markdownTable(['row', 'goal', 'stretch goal', 'measured', ''], rows);
}
