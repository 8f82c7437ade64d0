/**
 * `npm test`: everything that must be true of a change, in the order in which it fails fastest (scripts/suites.mjs). Installs and builds
 * what is missing. `npm test -- NAME …` runs these suites only, `-- --changed` what a change touches, `-- --list` prints what there is.
 * Prints a line for each stage, failures last and whole, and ends with one line, `N passed, N failed`.
 */
import { parseArgs } from 'node:util';
import { closingLine } from './closing-line.mjs';
import { changedStages } from './changed.mjs';
import { passSignalsOn, StepError } from './run.mjs';
import { createStageLines, duration } from './stage-lines.mjs';
import { buildStage, packagesStage, stageOf } from './stages.mjs';
import { byDefault, suites } from './suites.mjs';

/** Static checks run beside each other: none of them knows more than one core. */
const CHECKS_AT_ONCE = 2;

function parse() {
  const options = {
    changed: { type: 'boolean' },
    since: { type: 'string' },
    list: { type: 'boolean' },
    verbose: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  };
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    throw new StepError(`${error.message}; npm test -- --help`);
  }
}

const usage = `npm test                       everything but what --list calls "on request"
npm test -- NAME [NAME …]      these suites only
npm test -- --changed          what uncommitted changes touch; --since REV: what has changed since a commit
npm test -- --list             the suites, and when they run
npm test -- --verbose          with the output of every stage
npm run jest -- FILE           Jest itself, with its options
`;

function list() {
  const rows = (some) => some.map(({ name, about }) => `  ${name.padEnd(15)} ${about}`).join('\n');
  return `By default, in this order:\n${rows(byDefault)}\n\nOn request, as in npm test -- ${
    suites.find(({ onRequest }) => onRequest).name
  }:\n${rows(suites.filter(({ onRequest }) => onRequest))}\n\nCI runs the default and what is "also in CI", and then some of e2e, contract and alone on Node 24 and Postgres.\n`;
}

/** @returns {Promise<{ stages: readonly import('./stages.mjs').Stage[], notRun: readonly string[] }>} */
async function plan({ values, positionals }) {
  const unknown = positionals.find((name) => !suites.some((suite) => suite.name === name));
  if (unknown !== undefined) throw new StepError(`there is no suite "${unknown}"; npm test -- --list`);
  if (values.changed || values.since !== undefined) return { stages: await changedStages(values.since), notRun: [] };
  const named = positionals.length > 0;
  const wanted = named ? suites.filter(({ name }) => positionals.includes(name)) : byDefault;
  if (named) refuseMissing(wanted);
  const here = wanted.filter((suite) => suite.missing?.() === undefined);
  const leftOut = here.flatMap((suite) => {
    const part = suite.leavesOut?.();
    return part === undefined ? [] : [`of ${suite.name}, ${part}`];
  });
  const notRun = named
    ? leftOut
    : [
        ...leftOut,
        ...wanted.filter((suite) => !here.includes(suite)).map((suite) => `${suite.name} needs ${suite.missing()}`),
        `on request: ${suites
          .filter(({ onRequest }) => onRequest)
          .map(({ name }) => name)
          .join(', ')}`,
      ];
  const stages = groups(here).map(stageOf);
  // Before the checks, because a suite that needs the build must not wait for them.
  return { stages: here.some((suite) => suite.needsBuild) ? [buildStage(), ...stages] : stages, notRun };
}

function refuseMissing(wanted) {
  for (const { name, missing } of wanted) {
    const what = missing?.();
    if (what !== undefined) throw new StepError(`the suite ${name} needs ${what}`);
  }
}

/** Suites that are run together, in place of the first of them. */
function groups(some) {
  const groupOf = ({ name, together }) => together ?? name;
  return [...new Set(some.map(groupOf))].map((group) => some.filter((suite) => groupOf(suite) === group));
}

/** Runs stages in order: neighbours that are checks beside each other, everything else alone. All are run even if one fails. */
async function runStages(stages, lines, verbose) {
  const results = [];
  const one = async (stage, index) => {
    const line = lines.start(index + 1, stage.name);
    const result = await stage.run({ progress: line.progress, verbose });
    line.end(result.failures.length === 0, result.summary);
    results.push({ name: stage.name, ...result });
    return result.failures.length === 0;
  };
  const waiting = stages.map((stage, index) => ({ stage, index }));
  while (waiting.length > 0) {
    const checks = [];
    while (waiting[0]?.stage.isCheck) checks.push(waiting.shift());
    const worker = async () => {
      for (let next = checks.shift(); next !== undefined; next = checks.shift()) await one(next.stage, next.index);
    };
    await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, worker));
    const next = waiting.shift();
    // Nothing can be said of a program that could not be built.
    if (next !== undefined && !(await one(next.stage, next.index)) && next.stage.isRequired) break;
  }
  return results;
}

function print(results, notRun) {
  for (const { name, failures } of results) {
    for (const failure of failures) process.stdout.write(`\n== ${name} FAILED\n\n${failure.trimEnd()}\n`);
  }
  for (const line of notRun) process.stdout.write(`\nNOT RUN: ${line}`);
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const { counts } of results) for (const key of Object.keys(totals)) totals[key] += counts?.[key] ?? 0;
  // A stage that is no test run, or a run that broke before it could count, is a failure too.
  if (results.some(({ failures }) => failures.length > 0)) totals.failed = Math.max(totals.failed, 1);
  process.stdout.write(`\n\n${closingLine(totals)}\n`);
  process.exitCode = totals.failed > 0 ? 1 : 0;
}

async function main() {
  const words = parse();
  if (words.values.help) return process.stdout.write(usage);
  if (words.values.list) return process.stdout.write(list());
  const { stages: planned, notRun } = await plan(words);
  const stages = [packagesStage(), ...planned];
  const startedAtMs = performance.now();
  const lines = createStageLines(stages.map(({ name }) => name));
  const results = await runStages(stages, lines, words.values.verbose === true);
  lines.end();
  print(results, notRun);
  return process.stderr.write(`${duration(performance.now() - startedAtMs)} in all\n`);
}

passSignalsOn();
try {
  await main();
} catch (error) {
  if (!(error instanceof StepError)) throw error;
  process.stdout.write(`error: ${error.message}\n\n0 passed, 1 failed\n`);
  process.exitCode = 1;
}
