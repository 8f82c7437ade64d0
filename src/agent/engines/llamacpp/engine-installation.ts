/** Installs the packages of the built-in engine into the data directory, with npm. */
import { execFile } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { AdvisedError } from '../../../kernel/errors/advised-error.js';
import { LOCK, ownDirectory, packaged, variantMegabytes, type EngineVariant } from './engine-packages.js';

type Environment = Readonly<Record<string, string | undefined>>;

const FILES = ['package.json', LOCK, 'stub/package.json'] as const;
/** Slow networks need minutes for 140 MB. */
const INSTALL_TIMEOUT_MS = 30 * 60_000;
const MEASURE_EVERY_MS = 1_000;
/** npm's own pauses are 10 and 60 seconds. */
const RETRIES = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
/** As npm's codes say it. */
const UNREACHABLE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/;

export interface EngineInstallation {
  readonly signal: AbortSignal;
  /** Absent: the one without a graphics processor. */
  readonly variant?: EngineVariant;
  /** Called once a second, as soon as something has come. The total is a guess: less may be all of it. */
  readonly onBytes?: (done: number, total: number) => void;
}

/**
 * Installs them into the data directory, whole or not at all. No package runs a script.
 * @throws AdvisedError; the reason of the signal
 */
export async function installBuiltInEngine(env: Environment, options: EngineInstallation): Promise<void> {
  const { signal, variant = 'llamacpp', onBytes } = options;
  const target = ownDirectory(env, variant);
  const work = `${target}.new`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(path.join(work, 'stub'), { recursive: true });
  for (const file of FILES) copyFileSync(path.join(packaged(variant), file), path.join(work, file));
  const before = bytesOf(work);
  const measuring = setInterval(() => {
    const done = bytesOf(work) - before;
    // Until something has come there is no rate.
    if (done > 0) onBytes?.(done, variantMegabytes[variant] * 1_000_000);
  }, MEASURE_EVERY_MS);
  try {
    await runNpm(env, work, signal);
  } catch (error) {
    // npm keeps complete downloads in its cache. After an abort it may still write; the next installation removes the rest.
    await rm(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch(() => undefined);
    signal.throwIfAborted();
    throw failureOf(error, variant);
  } finally {
    clearInterval(measuring);
  }
  rmSync(target, { recursive: true, force: true });
  renameSync(work, target);
}

// On Windows npm is a shell script; all words are constants.
const windows = process.platform === 'win32';

async function npm(
  words: readonly string[],
  env: Environment,
  options: { cwd: string; signal: AbortSignal },
): Promise<string> {
  const { stdout } = await promisify(execFile)(windows ? 'npm.cmd' : 'npm', words, {
    // A service may have no Node on its PATH.
    env: { ...env, PATH: `${env['PATH'] ?? ''}${path.delimiter}${path.dirname(process.execPath)}` },
    shell: windows,
    timeout: INSTALL_TIMEOUT_MS,
    ...options,
  });
  return stdout;
}

async function runNpm(env: Environment, cwd: string, signal: AbortSignal): Promise<void> {
  const words = ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error', ...RETRIES];
  if (await isOffline(env, { cwd, signal })) words.push('--offline');
  await npm(words, env, { cwd, signal });
}

/**
 * Without a network npm tries every package several times before it says so; with `--offline` at once, and it still takes what is in its
 * cache.
 */
async function isOffline(env: Environment, options: { cwd: string; signal: AbortSignal }): Promise<boolean> {
  const usesProxy = Object.keys(env).some((name) => /^(npm_config_)?(https?_)?proxy$/i.test(name) && env[name] !== '');
  if (usesProxy) return false;
  const registry = env['npm_config_registry'] || (await npm(['config', 'get', 'registry'], env, options));
  if (!URL.canParse(registry)) return false;
  return lookup(new URL(registry).hostname).then(
    () => false,
    () => true,
  );
}

/** The first line names the command, the second is what npm says first. */
function failureOf(error: unknown, variant: EngineVariant): AdvisedError {
  const text = String(error);
  if (UNREACHABLE.test(text)) {
    return new AdvisedError(
      'npm cannot reach its registry',
      'is this computer online? Behind a proxy: npm config set https-proxy URL',
      { cause: error },
    );
  }
  if (/\bENOSPC\b/.test(text)) {
    return new AdvisedError('the disk is full', `free ${variantMegabytes[variant] + 10} MB`, { cause: error });
  }
  const [command = '', reason] = text.split('\n');
  return new AdvisedError(reason || command, 'ferry up tries again when it is started', { cause: error });
}

function bytesOf(directory: string): number {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true }).reduce(
      (sum, entry) => sum + (entry.isFile() ? sizeOf(path.join(entry.parentPath, entry.name)) : 0),
      0,
    );
  } catch {
    // npm has just moved something.
    return 0;
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
