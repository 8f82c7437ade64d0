/**
/**
 * Where the packages of the built-in engine are. They are not part of the npm package of Ferry (110 MB, and a node
 * with another engine needs none of them): `ferry up` installs them from the registry, with the lock file that comes with Ferry. Those for a
 * graphics processor are another such folder, complete in itself, so that the first one stays as it is when the device or its driver fails.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../../kernel/bundle.js';
import { dataDirectory } from '../../../kernel/data-directory.js';
import type { GpuBackend } from '../../../link/messages.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Directory of the engine package (`llamacpp/`) and its models (`models/`); the relative path is the same in sources and build. For the
 * single-file agent it is beside the file if the installer has put it there; the agent also runs without it.
 */
export const packagedEngines = fileURLToPath(
  new URL(bundle === undefined ? '../../../../engines' : './engines', import.meta.url),
);

/** Name of the folder: without a graphics processor, or for one. Metal is part of the first on the computers that have it. */
export type EngineVariant = 'llamacpp' | 'llamacpp-vulkan' | 'llamacpp-cuda';

/** Metal is part of the packages without a graphics processor. */
export const variantOf = (backend: GpuBackend): EngineVariant =>
  backend === 'metal' ? 'llamacpp' : `llamacpp-${backend}`;

/** Unpacked, about, on Linux; less elsewhere. A lock file has no sizes. */
export const variantMegabytes: Readonly<Record<EngineVariant, number>> = {
  llamacpp: 110,
  'llamacpp-vulkan': 140,
  'llamacpp-cuda': 240,
};

export const LOCK = 'package-lock.json';

/** Beside Ferry, where a checkout and the installer put them. */
export const packaged = (variant: EngineVariant): string => path.join(packagedEngines, variant);

/** In the data directory: the folder of a package that was installed by root cannot be written. */
export const ownDirectory = (env: Environment, variant: EngineVariant): string =>
  path.join(dataDirectory(env), 'engine', variant);

/** Tells the owner how to get packages whose lock file is present. */
export const packagesRemedy = (directory: string): string => `run "npm ci --ignore-scripts" in ${directory}`;

/** Tells the owner how to install the engine. */
export const engineRemedy = (directory: string): string =>
  bundle === undefined ? packagesRemedy(directory) : "run the relay's installer again with --with-engine";

/** Whether its packages are there. They may still not run on this computer. */
export const isBuiltInEngineInstalled = (env: Environment, variant: EngineVariant = 'llamacpp'): boolean =>
  hasPackages(engineDirectory(env, variant));

/** Beside Ferry, where a checkout and the installer put them; else in the data directory, if they were installed by this version's lock. */
export function engineDirectory(env: Environment, variant: EngineVariant = 'llamacpp'): string {
  const own = ownDirectory(env, variant);
  const beside = packaged(variant);
  return !hasPackages(beside) && hasPackages(own) && isCurrent(own, beside) ? own : beside;
}

const hasPackages = (directory: string): boolean =>
  existsSync(path.join(directory, 'node_modules', 'node-llama-cpp', 'package.json'));

const isCurrent = (directory: string, beside: string): boolean =>
  // The one-file agent without an engine has no lock file to compare with.
  existsSync(path.join(beside, LOCK)) &&
  readFileSync(path.join(directory, LOCK)).equals(readFileSync(path.join(beside, LOCK)));
