/**
 * Where the packages of the built-in engine are, and their installation. They are not part of the npm package of Ferry (115 MB, and a node
 * with another engine needs none of them): `ferry up` installs them from the registry, with the lock file that comes with Ferry. Those for a
 * graphics processor are another such folder, complete in itself, so that the first one stays as it is when the device or its driver fails.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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

/** Unpacked, about. */
export const variantMegabytes: Readonly<Record<EngineVariant, number>> = {
  llamacpp: 115,
  'llamacpp-vulkan': 140,
  'llamacpp-cuda': 240,
};

const LOCK = 'package-lock.json';
const FILES = ['package.json', LOCK, 'stub/package.json'] as const;
/** Slow networks need minutes for 115 MB. */
const INSTALL_TIMEOUT_MS = 30 * 60_000;
const PROGRESS_MS = 2_000;

const packaged = (variant: EngineVariant): string => path.join(packagedEngines, variant);

/** In the data directory: the folder of a package that was installed by root cannot be written. */
const ownDirectory = (env: Environment, variant: EngineVariant): string =>
  path.join(dataDirectory(env), 'engine', variant);

/** What the owner does to get packages whose lock file is there. */
export const packagesRemedy = (directory: string): string => `run "npm ci --ignore-scripts" in ${directory}`;

/** What the owner does to get it, where it is not installed. */
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

interface InstallOptions {
  readonly signal: AbortSignal;
  /** Absent: the one without a graphics processor. */
  readonly variant?: EngineVariant;
  /** Bytes that are unpacked so far, every other second. */
  readonly onProgress?: (bytes: number) => void;
}

/**
 * Installs them into the data directory, whole or not at all. No package runs a script.
 * @throws the error of npm, or of the abort
 */
export async function installBuiltInEngine(env: Environment, options: InstallOptions): Promise<void> {
  const { signal, variant = 'llamacpp', onProgress } = options;
  const target = ownDirectory(env, variant);
  const work = `${target}.new`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(path.join(work, 'stub'), { recursive: true });
  for (const file of FILES) copyFileSync(path.join(packaged(variant), file), path.join(work, file));
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
  const watching = onProgress === undefined ? undefined : watch(work, onProgress);
  try {
    await promisify(execFile)(windows ? 'npm.cmd' : 'npm', words, {
      cwd: work,
      // A service may have no Node on its PATH.
      env: { ...env, PATH: `${env['PATH'] ?? ''}${path.delimiter}${path.dirname(process.execPath)}` },
      shell: windows,
      signal,
      timeout: INSTALL_TIMEOUT_MS,
    });
  } finally {
    clearInterval(watching);
  }
  rmSync(target, { recursive: true, force: true });
  renameSync(work, target);
}

const watch = (folder: string, onProgress: (bytes: number) => void): NodeJS.Timeout =>
  setInterval(() => {
    void bytesIn(folder).then(onProgress);
  }, PROGRESS_MS).unref();

/** npm unpacks while it downloads, and moves files meanwhile. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) return bytesIn(place);
      if (!entry.isFile()) return 0;
      const { size } = await stat(place).catch(() => ({ size: 0 }));
      return size;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
