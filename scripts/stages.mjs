/** How a suite (scripts/suites.mjs) is run, and what is told of it. */
import path from 'node:path';
import { needsBuild } from './build.mjs';
import { install, needsInstall } from './install.mjs';
import { hasPassed, rememberPassed, stateOfFiles } from './remembered-checks.mjs';
import { findNpm, root, run, StepError } from './run.mjs';

/** Of the output of a stage: what is needed to see why a run broke off. */
const KEPT_CHARACTERS = 200_000;

/**
 * @typedef {object} StageResult
 * @property {string} summary for its line
 * @property {readonly string[]} failures whole, empty when it passed
 * @property {{ passed: number, failed: number, skipped: number }} [counts] of tests
 */

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {boolean} [isCheck] uses one core
 * @property {boolean} [isRequired] nothing after it can run when it fails
 * @property {(options: { progress: (text: string) => void, verbose: boolean }) => Promise<StageResult>} run
 */

/**
 * Workers keep Nest and the sources of all specs: V8's usual young heap, of at most 16 MB, copies what stays anyway, for 13 % more processor
 * time. Jest gives its own flags to its workers. Also in the script `jest` of package.json.
 */
const jestFlags = ['--disable-warning=ExperimentalWarning', '--min-semi-space-size=16', '--max-semi-space-size=64'];
const jestProgram = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');

/** @param {readonly import('./suites.mjs').Suite[]} suites one check, or suites of tests that are run together @returns {Stage} */
export function stageOf([suite, ...others]) {
  const names = [suite, ...others].map(({ name }) => name);
  if (suite.script !== undefined) return rememberedCheckStage(suite.name, [findNpm(), 'run', '--silent', suite.script]);
  const name = others.length > 0 ? suite.together : suite.name;
  const stageWith = (files) => testStage(name, [...files, ...projectsOf(names), ...workersOf(suite)]);
  if (suite.prepare === undefined) return stageWith([]);
  return { name, run: async (options) => stageWith(await suite.prepare()).run(options) };
}

const projectsOf = (names) => ['--selectProjects', ...names];

export const workersOf = ({ workers }) => (workers === 1 ? ['--runInBand'] : [`--maxWorkers=${workers}`]);

/** What the program printed says more than how it ended. */
const failuresOf = ({ failed, text }) => (failed ? [text || failed] : []);

/** @param {readonly string[]} words a JavaScript program and its arguments @returns {Stage} */
export const checkStage = (name, words) => ({
  name,
  isCheck: true,
  async run({ verbose }) {
    const outcome = await captured(name, words, { verbose });
    return { summary: '', failures: failuresOf(outcome) };
  },
});

/** A check of all files, and of nothing but these. @returns {Stage} */
function rememberedCheckStage(name, words) {
  const check = checkStage(name, words);
  return {
    ...check,
    async run(options) {
      const state = stateOfFiles();
      if (hasPassed(name, state)) return { summary: 'passed on the same files', failures: [] };
      const result = await check.run(options);
      if (result.failures.length === 0) rememberPassed(name, state);
      return result;
    },
  };
}

/** @returns {Stage} */
export const packagesStage = () => ({
  name: 'packages',
  isRequired: true,
  async run({ verbose }) {
    if (!needsInstall()) return { summary: 'installed', failures: [] };
    const outcome = await keptOutput(verbose, (output) => install(output));
    return { summary: '', failures: failuresOf(outcome) };
  },
});

/** @returns {Stage} */
export const buildStage = () => ({
  name: 'build',
  isRequired: true,
  async run({ verbose }) {
    if (!needsBuild()) return { summary: 'up to date', failures: [] };
    const outcome = await captured('build', [path.join(root, 'scripts', 'build.mjs')], { verbose });
    return { summary: '', failures: failuresOf(outcome) };
  },
});

/** @param {readonly string[]} jest its arguments @returns {Stage} */
export const testStage = (name, jest) => ({
  name,
  async run({ progress, verbose }) {
    const failures = [];
    let done = 0;
    let files = 0;
    let counts;
    /** Passed tests by suite. */
    const passedOf = {};
    const onMessage = (message) => {
      if (message.kind === 'start') files = message.files;
      if (message.kind === 'end') counts = message;
      if (message.kind === 'file') {
        passedOf[message.suite] = (passedOf[message.suite] ?? 0) + message.passed;
        if (message.failed) failures.push(`${path.relative(root, message.file)}\n\n${message.failed}`);
        progress(`${(done += 1)} of ${files} files${failures.length > 0 ? `, ${failures.length} failed` : ''}`);
      }
    };
    const words = [...jestFlags, jestProgram, ...jest];
    const outcome = await captured(name, words, { verbose, onMessage });
    if (counts === undefined) failures.push(`${outcome.text}\n${name} ended without a result`);
    else if (outcome.failed && failures.length === 0) failures.push(outcome.text);
    return { summary: summaryOf(counts, passedOf), failures, ...(counts && { counts }) };
  },
});

const summaryOf = (counts, passedOf) => {
  if (counts === undefined) return 'broke off';
  const { passed, failed, skipped } = counts;
  const bySuite = Object.entries(passedOf).map(([suite, tests]) => `${tests} ${suite}`);
  const parts = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`];
  return `${parts.filter(Boolean).join(', ')}${bySuite.length > 1 ? ` (${bySuite.join(', ')})` : ''}`;
};

/** Runs a program to its end. */
const captured = (name, words, { verbose, onMessage }) =>
  keptOutput(verbose, (output) => run(words, { name, output, onMessage }));

/** `failed` says how the work failed, absent when it did not; `text` is the end of what it printed. */
async function keptOutput(verbose, work) {
  let text = '';
  const output = (chunk) => {
    if (verbose) process.stderr.write(chunk);
    text = (text + chunk).slice(-KEPT_CHARACTERS);
  };
  try {
    await work(output);
    return { text };
  } catch (error) {
    if (!(error instanceof StepError)) throw error;
    return { text, failed: error.message };
  }
}
