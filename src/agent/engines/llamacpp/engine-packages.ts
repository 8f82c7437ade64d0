/**
 * Where the packages of the built-in engine are, and their installation. They are not part of the npm package of Ferry (115 MB, and a node
 * with another engine needs none of them): `ferry up` installs them from the registry, with the lock file that comes with Ferry.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundle } from '../../../kernel/bundle.js';
import { dataDirectory } from '../../../kernel/data-directory.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Directory of the engine package (`llamacpp/`) and its models (`models/`); the relative path is the same in sources and build. For the
 * single-file agent it is beside the file if the installer has put it there; the agent also runs without it.
 */
export const packagedEngines = fileURLToPath(
  new URL(bundle === undefined ? '../../../../engines' : './engines', import.meta.url),
);

const packaged = path.join(packagedEngines, 'llamacpp');
const LOCK = 'package-lock.json';
const FILES = ['package.json', LOCK, 'stub/package.json'] as const;
/** Slow networks need minutes for 115 MB. */
const INSTALL_TIMEOUT_MS = 15 * 60_000;

/** In the data directory: the folder of a package that was installed by root cannot be written. */
const ownDirectory = (env: Environment): string => path.join(dataDirectory(env), 'engine', 'llamacpp');

/** What the owner does to get it, where it is not installed. */
export const engineRemedy = (directory: string): string =>
  bundle === undefined
    ? `run "npm ci --ignore-scripts" in ${directory}`
    : "run the relay's installer again with --with-engine";

/** Whether its packages are there. They may still not run on this computer. */
export const isBuiltInEngineInstalled = (env: Environment): boolean => hasPackages(engineDirectory(env));

/** Beside Ferry, where a checkout and the installer put them; else in the data directory, if they were installed by this version's lock. */
export function engineDirectory(env: Environment): string {
  const own = ownDirectory(env);
  return !hasPackages(packaged) && hasPackages(own) && isCurrent(own) ? own : packaged;
}

const hasPackages = (directory: string): boolean =>
  existsSync(path.join(directory, 'node_modules', 'node-llama-cpp', 'package.json'));

const isCurrent = (directory: string): boolean =>
  // The one-file agent without an engine has no lock file to compare with.
  existsSync(path.join(packaged, LOCK)) &&
  readFileSync(path.join(directory, LOCK)).equals(readFileSync(path.join(packaged, LOCK)));

/**
 * Installs them into the data directory, whole or not at all. No package runs a script.
 * @throws the error of npm, or of the abort
 */
export async function installBuiltInEngine(env: Environment, signal: AbortSignal): Promise<void> {
  const target = ownDirectory(env);
  const work = `${target}.new`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(path.join(work, 'stub'), { recursive: true });
  for (const file of FILES) copyFileSync(path.join(packaged, file), path.join(work, file));
  // On Windows npm is a shell script; all words are constants.
  const windows = process.platform === 'win32';
  const words = [
    'ci',
    '--ignore-scripts',
    '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--fetch-retries=1',
  ];
  await promisify(execFile)(windows ? 'npm.cmd' : 'npm', words, {
    cwd: work,
    // A service may have no Node on its PATH.
    env: { ...env, PATH: `${env['PATH'] ?? ''}${path.delimiter}${path.dirname(process.execPath)}` },
    shell: windows,
    signal,
    timeout: INSTALL_TIMEOUT_MS,
  });
  rmSync(target, { recursive: true, force: true });
  renameSync(work, target);
}
