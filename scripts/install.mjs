/**
 * Installs what is missing. The tests, their tools and the official clients are more than half of all packages, so a start leaves them out. The
 * built-in engine has its own folder and lock file, so that nothing else drags it along (docs/reference/engines.md#built-in-engine).
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isInstalled } from './freshness.mjs';
import { findNpm, root, run } from './run.mjs';

/** Folders with what `npm run up` builds and runs: the program, the website, and what compiles both. */
export const program = ['', 'console', 'scripts'];

const modules = path.join(root, 'node_modules');
/** An installation that was cut off leaves it: what is there then is not to be trusted. */
const unfinished = path.join(modules, '.ferry-installing');
const engine = path.join(root, 'engines', 'llamacpp');

const needsPackages = (folders) => existsSync(unfinished) || !isInstalled(root, folders);

const needsEngine = () => existsSync(path.join(engine, 'package-lock.json')) && !isInstalled(engine);

/** @param {string[]} [folders] only what these need to run; otherwise everything */
export const needsInstall = (folders) => needsPackages(folders) || needsEngine();

export const isFirstInstall = () => !existsSync(modules);

/** Both installations side by side: each waits for the network most of the time. */
export async function install(output = 'stderr', folders = undefined) {
  await Promise.all([
    needsPackages(folders) && installPackages(output, folders),
    needsEngine() && npm(['ci'], { cwd: engine, output, name: 'npm ci in engines/llamacpp' }),
  ]);
}

async function installPackages(output, folders) {
  // Where there is something, a relay may run on it: `npm ci` would take its packages away before it installs them again.
  const adds = existsSync(path.join(modules, '.package-lock.json')) && !existsSync(unfinished);
  // Whoever has the tests keeps them.
  const everything = folders === undefined || (adds && existsSync(path.join(modules, 'jest')));
  const selection = everything
    ? // The tests need their tools even where NODE_ENV says production.
      ['--include=dev']
    : [
        '--omit=dev',
        ...folders.map((folder) => (folder === '' ? '--include-workspace-root' : `--workspace=${folder}`)),
      ];
  if (adds) writeFileSync(unfinished, '');
  // `--no-save`: the lock file stays as it is.
  const words = adds ? ['install', '--no-save', ...selection] : ['ci', ...selection];
  await npm(words, { cwd: root, output, name: `npm ${words[0]}` });
  rmSync(unfinished, { force: true });
}

const npm = (words, options) =>
  run([findNpm(), ...words, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], options);
