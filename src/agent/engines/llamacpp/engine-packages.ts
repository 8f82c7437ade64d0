/**
 * Where the packages of the built-in engine are. They are not part of the npm package of Ferry (115 MB, and a node
 * with another engine needs none of them): `ferry up` installs them from the registry, with the lock file that comes with Ferry.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** Beside Ferry, where a checkout and the installer put them. */
export const packaged = path.join(packagedEngines, 'llamacpp');
export const LOCK = 'package-lock.json';
/** In the data directory: the folder of a package that was installed by root cannot be written. */
export const ownDirectory = (env: Environment): string => path.join(dataDirectory(env), 'engine', 'llamacpp');

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
