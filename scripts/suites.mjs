/** All that `npm test` can run, in the order in which it fails fastest. `npm test -- --list` prints this table. */
import { availableParallelism } from 'node:os';
import { findChromium } from '../test/support/browser/chromium.mjs';
import { findPython } from '../test/support/client/find-python.mjs';
import { prepareVulkanDevice, withoutVulkanDevice } from './gpu-test-device.mjs';
import { prepareEngines, withoutPrograms } from './real-engines.mjs';

const cores = availableParallelism();

/**
 * @typedef {object} Suite
 * @property {string} name
 * @property {string} about one line for `--list`
 * @property {string} [script] an npm script: a static check, which passes or fails as a whole
 * @property {number} [workers] processes of Jest, for the project of the same name in jest.config.js; without `script`
 * @property {string} [together] name of the stage in which several suites share one run, so that some specs compute while others wait
 * @property {boolean} [needsBuild] its tests start built programs
 * @property {boolean} [onRequest] run by name only
 * @property {() => string | undefined} [missing] a program that this computer lacks, and how to get it
 * @property {() => Promise<readonly string[]>} [prepare] gets the programs that it needs; returns the spec files that can run. Absent: all of them
 * @property {() => string | undefined} [leavesOut] what it skips for want of a program, which does not keep the rest from running
 */

/** More than there are cores: specs wait for sockets, timers and processes while others compute. */
const workers = cores + 2;

const withoutOpenWebui = () =>
  (process.env['FERRY_TEST_OPEN_WEBUI'] ?? '') === ''
    ? 'Open WebUI: pip install open-webui, and its program in FERRY_TEST_OPEN_WEBUI'
    : undefined;

const withoutChromium = () =>
  findChromium() === undefined
    ? 'Chromium: apt-get install chromium-headless-shell, or FERRY_TEST_CHROMIUM'
    : undefined;

const withoutPython = () =>
  findPython() === undefined ? 'Python 3.11 with venv (apt-get install python3-venv)' : undefined;

/** @type {readonly Suite[]} */
export const suites = [
  { name: 'lint', about: 'rules of the code and of its layers', script: 'lint' },
  { name: 'typecheck', about: 'types of sources, tests and website', script: 'typecheck' },
  { name: 'format', about: 'layout of code and documents', script: 'format:check' },
  { name: 'cycles', about: 'imports in a circle', script: 'check:cycles' },
  { name: 'unused', about: 'files, exports and packages that nothing uses', script: 'check:unused' },
  { name: 'openapi', about: 'both OpenAPI documents are valid', script: 'lint:openapi' },
  { name: 'unit', about: 'the specs beside the sources', workers, together: 'tests' },
  {
    name: 'e2e',
    about: 'relay, node and command line as processes, by behaviour',
    workers,
    together: 'tests',
    needsBuild: true,
  },
  {
    name: 'contract',
    about: 'the official SDKs',
    workers,
    together: 'tests',
    needsBuild: true,
  },
  {
    name: 'browser',
    about: 'the website in Chromium',
    workers,
    together: 'tests',
    needsBuild: true,
    missing: withoutChromium,
  },
  {
    name: 'alone',
    about: 'bars of memory and time, a core for each file, also in CI',
    workers: cores > 1 ? 2 : 1,
    needsBuild: true,
    onRequest: true,
  },
  {
    name: 'python',
    about: 'the official SDKs for Python, also in CI; installs 112 MB',
    workers,
    together: 'ci',
    needsBuild: true,
    onRequest: true,
    missing: withoutPython,
  },
  {
    name: 'screens',
    about: 'every page at four widths, and long lists at seven, also in CI',
    workers,
    together: 'ci',
    needsBuild: true,
    onRequest: true,
    missing: withoutChromium,
  },
  {
    name: 'fast-path-off',
    about: 'requests through documented APIs of Nest and Node only, also in CI',
    workers,
    together: 'ci',
    needsBuild: true,
    onRequest: true,
  },
  {
    name: 'engines',
    about: 'real engines, also in CI; installs two (320 MB), others where variables name their programs',
    workers: 2,
    needsBuild: true,
    onRequest: true,
    prepare: prepareEngines,
    leavesOut: withoutPrograms,
  },
  {
    name: 'gpu',
    about: 'the built-in engine on a graphics processor in software, also in CI; needs Mesa, installs 140 MB',
    workers: 1,
    onRequest: true,
    missing: withoutVulkanDevice,
    prepare: prepareVulkanDevice,
  },
  {
    name: 'faults',
    about: 'killed and frozen processes, lost networks',
    workers: 1,
    needsBuild: true,
    onRequest: true,
  },
  {
    name: 'cluster',
    about: 'several relays; needs postgresql, nats-server and nginx of Debian',
    workers: 1,
    needsBuild: true,
    onRequest: true,
  },
  {
    name: 'proxies',
    about: 'behind nginx, HAProxy and Caddy of Debian, and Traefik (50 MB from PyPI)',
    workers: 1,
    needsBuild: true,
    onRequest: true,
  },
  { name: 'helm', about: 'the chart; needs Go', workers: 1, onRequest: true },
  {
    name: 'agents',
    about: 'Codex, Claude Code, opencode and Qwen Code from npm, 1.2 GB',
    workers: 1,
    needsBuild: true,
    onRequest: true,
  },
  {
    name: 'clients',
    about: 'clients in Python, Go, Java and Rust; needs these, Maven and 3 GB',
    workers: 1,
    needsBuild: true,
    onRequest: true,
  },
  {
    name: 'open-webui',
    about: "Open WebUI's server; FERRY_TEST_OPEN_WEBUI names its program",
    workers: 1,
    needsBuild: true,
    onRequest: true,
    missing: withoutOpenWebui,
  },
  {
    name: 'package',
    about: 'the npm package in a fresh home',
    workers: 1,
    needsBuild: true,
    onRequest: true,
  },
  {
    name: 'website-speed',
    about: 'long tables and the first load, on a computer that does nothing else',
    workers: 1,
    needsBuild: true,
    onRequest: true,
    missing: withoutChromium,
  },
];

export const byDefault = suites.filter((suite) => !suite.onRequest);
