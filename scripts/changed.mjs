/** `npm test -- --changed`: the checks of the files that changed, the specs beside the sources that they can break, and changed specs. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { findNpm, root, StepError } from './run.mjs';
import { buildStage, checkStage, testStage, workersOf } from './stages.mjs';
import { suites } from './suites.mjs';

const git = (...words) => {
  try {
    return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  } catch (error) {
    throw new StepError(`git ${words.join(' ')}: ${String(error.stderr).trim() || error.message}`);
  }
};

/** @param {string} [since] a commit; absent: the last one, so that what is not committed counts */
export async function changedStages(since = 'HEAD') {
  const tracked = git('diff', '--name-only', '--diff-filter=d', since, '--');
  const files = [...new Set([...tracked, ...git('ls-files', '--others', '--exclude-standard')])];
  if (files.length === 0) throw new StepError(`nothing has changed since ${since}`);
  const code = files.filter((file) => /\.(ts|tsx|mjs|js)$/.test(file));
  const bin = (name, file) => path.join(root, 'node_modules', name, file);
  const stages = [
    checkStage('format', [bin('oxfmt', 'bin/oxfmt'), '--check', '--no-error-on-unmatched-pattern', ...files]),
  ];
  if (code.length === 0) return stages;

  stages.push(
    checkStage('typecheck', [findNpm(), 'run', '--silent', 'typecheck']),
    checkStage('lint', [findNpm(), 'run', '--silent', 'lint', '--', ...code]),
    testStage('unit', [...wordsOf('unit'), '--findRelatedTests', ...code]),
  );
  for (const suite of suites.filter(({ needsBuild }) => needsBuild)) {
    const specs = specsOf(suite.name, files);
    if (specs.length === 0) continue;
    if (!stages.some((stage) => stage.name === 'build')) stages.push(buildStage());
    stages.push(testStage(suite.name, [...wordsOf(suite.name), '--runTestsByPath', ...specs]));
  }
  return stages;
}

/** For Jest, without saying which files. */
const wordsOf = (name) => [
  '--selectProjects',
  name,
  ...workersOf(suites.find((suite) => suite.name === name)),
  '--passWithNoTests',
];

/** Changed specs of a suite that starts processes. */
const specsOf = (suite, files) => {
  const folder = `test/${suite}/`;
  return files.filter(
    (file) => file.startsWith(folder) && file.endsWith('.spec.ts') && existsSync(path.join(root, file)),
  );
};
