/** All that `npm test` can run, in the order in which it fails fastest. `npm test -- --list` prints this table. */
import { availableParallelism } from 'node:os';
import { findChromium } from '../test/support/browser/chromium.mjs';

const cores = availableParallelism();

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} about one line for `--list`
 * @property {string} [script] an npm script: a static check, which passes or fails as a whole
 * @property {readonly string[]} [jest] arguments of Jest; without `script`
 * @property {boolean} [needsBuild] its tests start built programs
 * @property {boolean} [onRequest] run by name only
 * @property {() => string | undefined} [missing] a program that this computer lacks, and how to get it
 */

const project = (name, count) => [
  '--selectProjects',
  name,
  ...(count === 1 ? ['--runInBand'] : [`--maxWorkers=${count}`]),
];

/** One more than there are cores: specs wait for sockets and timers while others compute. */
const workers = cores + 1;

const withoutChromium = () =>
  findChromium() === undefined ? 'Chromium: apt-get install chromium, or FERRY_TEST_CHROMIUM' : undefined;

/** @type {readonly Suite[]} */
export const suites = [
  { name: 'lint', about: 'rules of the code and of its layers', script: 'lint' },
  { name: 'typecheck', about: 'types of sources, tests and website', script: 'typecheck' },
  { name: 'format', about: 'Prettier', script: 'format:check' },
  { name: 'cycles', about: 'imports in a circle', script: 'check:cycles' },
  { name: 'unused', about: 'files, exports and packages that nothing uses', script: 'check:unused' },
  { name: 'openapi', about: 'both OpenAPI documents are valid', script: 'lint:openapi' },
  { name: 'unit', about: 'the specs beside the sources', jest: project('unit', workers) },
  {
    name: 'e2e',
    about: 'relay, node and command line as processes, by behaviour',
    jest: project('e2e', workers),
    needsBuild: true,
  },
  { name: 'contract', about: 'the official SDKs', jest: project('contract', workers), needsBuild: true },
  {
    name: 'fast-path-off',
    about: 'requests through documented APIs of Nest and Node only',
    jest: project('fast-path-off', workers),
    needsBuild: true,
  },
  {
    name: 'browser',
    about: 'the website in Chromium',
    jest: project('browser', workers),
    needsBuild: true,
    missing: withoutChromium,
  },
  {
    name: 'alone',
    about: 'memory, allocations and times, one file after the other',
    jest: project('alone', 1),
    needsBuild: true,
  },
  {
    name: 'faults',
    about: 'killed and frozen processes, lost networks',
    jest: project('faults', 1),
    needsBuild: true,
    onRequest: true,
  },
  {
    name: 'cluster',
    about: 'several relays; needs postgresql, nats-server and nginx of Debian',
    jest: project('cluster', 1),
    needsBuild: true,
    onRequest: true,
  },
  {
    name: 'proxies',
    about: 'behind nginx, HAProxy and Caddy of Debian',
    jest: project('proxies', 1),
    needsBuild: true,
    onRequest: true,
  },
  { name: 'helm', about: 'the chart; needs Go', jest: project('helm', 1), onRequest: true },
  {
    name: 'agents',
    about: 'Codex, Claude Code and opencode from npm, 1 GB',
    jest: project('agents', 1),
    needsBuild: true,
    onRequest: true,
  },
  {
    name: 'package',
    about: 'the npm package in a fresh home',
    jest: project('package', 1),
    needsBuild: true,
    onRequest: true,
  },
  {
    name: 'website-speed',
    about: 'long tables and the first load, on a computer that does nothing else',
    jest: project('website-speed', 1),
    needsBuild: true,
    onRequest: true,
    missing: withoutChromium,
  },
];

export const byDefault = suites.filter((suite) => !suite.onRequest);
