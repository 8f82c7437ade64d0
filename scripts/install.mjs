/**
 * Installs what is missing. The tests, their tools and the official clients are more than half of all packages, so a start leaves them out. The
 * built-in engine has its own folder and lock file, so that nothing else drags it along (docs/reference/engines.md#built-in-engine).
 */
import { lookup } from 'node:dns/promises';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isInstalled } from './freshness.mjs';
import { neededPlaces, readLockFile } from './lock-file.mjs';
import { findNpm, root, run, StepError } from './run.mjs';

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

/** How many of the packages that {@link install} brings are there. @param {string[]} folders */
export function measureInstall(folders) {
  const trees = [
    { folder: engine, places: placesHere(engine, undefined) },
    { folder: root, places: placesHere(root, folders) },
  ];
  const total = trees.reduce((sum, { places }) => sum + places.length, 0);
  return () => ({
    // npm makes the folders of all packages at once, and their files one after the other.
    done: trees.reduce((sum, tree) => sum + tree.places.filter((place) => isUnpacked(tree.folder, place)).length, 0),
    total,
  });
}

const isUnpacked = (folder, place) => existsSync(path.join(folder, place, 'package.json'));

/** Packages for another computer are left out. */
function placesHere(folder, folders) {
  const lock = readLockFile(path.join(folder, 'package-lock.json'));
  if (lock === undefined) return [];
  const places = folders === undefined ? Object.keys(lock.packages) : [...neededPlaces(lock, folders)];
  return places.filter((place) => {
    const { version, link, os = [process.platform], cpu = [process.arch], libc = ['glibc'] } = lock.packages[place];
    const isPackage = place.includes('node_modules/') && version !== undefined && !link;
    return isPackage && os.includes(process.platform) && cpu.includes(process.arch) && libc.includes('glibc');
  });
}

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

/** As npm's codes say it. */
const UNREACHABLE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)\b/;
/**
 * Without a network npm tries every package several times before it says so; with `--offline` at once, and it still takes what is in its
 * cache.
 */
async function isOffline(env) {
  if (Object.keys(env).some((name) => /^(npm_config_)?(https?_)?proxy$/i.test(name) && env[name] !== '')) return false;
  const registry = env.npm_config_registry || (await registryOfNpm());
  if (!URL.canParse(registry)) return false;
  return lookup(new URL(registry).hostname).then(
    () => false,
    () => true,
  );
}

async function registryOfNpm() {
  let reported = '';
  await run([findNpm(), 'config', 'get', 'registry'], { name: 'npm config', output: (text) => (reported += text) });
  return reported.trim();
}

/** npm's own pauses are 10 and 60 seconds, in which nothing is said. */
const RETRIES = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];

/** npm's code for a version that its description of the package does not have. */
const NOT_LISTED = /\bETARGET\b/;

/**
 * npm takes what it needs from its cache without asking the registry whether the description of each package has changed: versions and their
 * hashes are in the lock file. Where a description in the cache is older than a version, everything is asked again.
 * @throws StepError whose `advice` says what to do, where npm has no network
 */
export async function npm(words, { output, ...options }) {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  let reported = '';
  const attempt = (cache) =>
    run([findNpm(), ...words, ...quiet, ...RETRIES, cache], {
      ...options,
      output(text) {
        reported += text;
        output(text);
      },
    });
  const offline = await isOffline(process.env);
  try {
    await attempt(offline ? '--offline' : '--prefer-offline');
  } catch (error) {
    if (!offline && error instanceof StepError && NOT_LISTED.test(reported)) return attempt('--prefer-online');
    if (!(error instanceof StepError) || !UNREACHABLE.test(reported)) throw error;
    throw new StepError('npm cannot reach its registry', {
      cause: error,
      advice: 'is this computer online? Behind a proxy: npm config set https-proxy URL',
    });
  }
}
