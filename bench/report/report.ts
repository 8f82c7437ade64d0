import type { Scenario } from '../scenarios/scenario.js';
import { goalsTable } from './goals-table.js';
import type { Results } from './results.js';
import { scenarioTable } from './tables.js';

/** Results as Markdown. @param level heading level: `##` in a separate document */
export function renderReport(results: Results, scenarios: readonly Scenario[]): string {
  const versions = Object.entries(results.versions).map(([name, version]) => `${name}: ${version}`);
  const tables = scenarios
    .filter(({ name }) => name in results.measurements || name in results.figures)
    .map((scenario) => scenarioTable(scenario, results));
  return [
    `Measured ${results.date} on ${results.machine}; Ferry at ${results.commit}. Medians of ${results.alternations} rounds (smallest–largest), all targets in turn in the same run; ${results.pinned ? 'the public side on a core of its own' : 'processes on any core'}. ${versions.join(' · ')}.`,
    '',
    '### Targets',
    '',
    goalsTable(results),
    '',
    ...tables,
    ...results.notMeasured.map((line) => `- not measured: ${line}`),
    '',
  ].join('\n');
}
