import type { Scenario } from '../scenarios/scenario.js';
import { goalsTable } from './goals-table.js';
import type { Results } from './results.js';
import { scenarioTable } from './tables.js';

/** What a run was measured on, and how. */
function provenance(results: Results): string {
  const versions = Object.entries(results.versions).map(([name, version]) => `${name}: ${version}`);
  return `Measured ${results.date} on ${results.machine}; Ferry at ${results.commit}. Medians of ${results.alternations} rounds (smallest–largest), all targets in turn in the same run; ${results.pinned ? 'the public side on a core of its own' : 'processes on any core'}. ${versions.join(' · ')}.`;
}

const tables = (results: Results, scenarios: readonly Scenario[]): string[] =>
  scenarios
    .filter(({ name }) => name in results.measurements || name in results.figures)
    .map((scenario) => scenarioTable(scenario, results));

/** Results as Markdown. */
export function renderReport(results: Results, scenarios: readonly Scenario[]): string {
  return [
    provenance(results),
    '',
    '### Targets',
    '',
    goalsTable(results),
    '',
    ...tables(results, scenarios),
    ...results.notMeasured.map((line) => `- not measured: ${line}`),
    '',
  ].join('\n');
}

/** Results of a run without pinned processes, as a chapter behind those of a pinned one. No goal applies to them. */
export function renderUnpinned(results: Results, scenarios: readonly Scenario[]): string {
  const named = scenarios.map((scenario) => ({ ...scenario, title: `${scenario.title}: on any core` }));
  return [
    '### The same on any core',
    '',
    'The threads of collector and compiler have a core of their own here, but latencies are mostly the wait for a core.',
    '',
    provenance(results),
    '',
    ...tables(results, named),
  ].join('\n');
}
