/**
 * Jest's `testEnvironment` (jest.config.js) for spec files that run as ordinary modules of the worker's process: gives them `jest`, and puts
 * back after each spec file what it may have changed in the process.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { timeFactor } from './time-factor.js';

const require = createRequire(import.meta.url);
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

const methodsOf = (object, names) => Object.fromEntries(names.map((name) => [name, object[name].bind(object)]));

/** CPU seconds of the processes that this one has started and that have ended; 0 where the system does not tell. */
function cpuSecondsOfChildren() {
  try {
    // user and system time, in hundredths of a second
    const [user, system] = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ').slice(13, 15);
    return (Number(user) + Number(system)) / 100;
  } catch {
    return 0;
  }
}

/** Of the property in which Jest's test framework keeps the tests of a spec file, with all that they refer to: a new one for each file. */
const TESTS_OF_A_FILE = 'JEST_STATE_SYMBOL';

function forgetTests() {
  for (const name of Object.getOwnPropertySymbols(globalThis)) {
    if (name.description === TESTS_OF_A_FILE) delete globalThis[name];
  }
}

/** Of tests and hooks that have a limit of their own. */
function scaleTimeLimits(block) {
  for (const limited of [...block.hooks, ...block.children]) {
    if (limited.timeout !== undefined) limited.timeout *= timeFactor;
    if (limited.type === 'describeBlock') scaleTimeLimits(limited);
  }
}

export default class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #file;
  #startedAtMs = performance.now();
  #cpu = process.cpuUsage();
  #cpuOfChildren = cpuSecondsOfChildren();
  #before = {
    console: globalThis.console,
    env: { ...process.env },
    exit: process.exit,
    exitCode: process.exitCode,
    cwd: process.cwd(),
    stackTraceLimit: Error.stackTraceLimit,
  };

  constructor({ projectConfig }, { testPath }) {
    this.#file = path.relative(projectConfig.rootDir, testPath);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.jest = {
      ...methodsOf(this.moduleMocker, ['fn', 'spyOn', 'clearAllMocks', 'resetAllMocks', 'restoreAllMocks']),
      ...methodsOf(this.fakeTimersModern, [
        'useFakeTimers',
        'useRealTimers',
        'advanceTimersByTime',
        'advanceTimersByTimeAsync',
        'runAllTimers',
        'runAllTimersAsync',
        'setSystemTime',
        'getTimerCount',
      ]),
      setTimeout: (ms) => void (globalThis[TEST_TIMEOUT] = ms),
    };
  }

  async setup() {}

  handleTestEvent(event, state) {
    if (event.name !== 'run_start') return;
    state.testTimeout *= timeFactor;
    scaleTimeLimits(state.rootDescribeBlock);
  }

  async teardown() {
    this.#writeCosts(process.env['TEST_COSTS']);
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    const { console, env, exit, exitCode, cwd, stackTraceLimit } = this.#before;
    globalThis.console = console;
    process.exit = exit;
    process.exitCode = exitCode;
    if (process.cwd() !== cwd) process.chdir(cwd);
    Error.stackTraceLimit = stackTraceLimit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    forgetTests();
  }

  /** A line of a table, to find the dearest spec files: CPU seconds of this process and of others that it started, elapsed seconds. */
  #writeCosts(file) {
    if (!file) return;
    const { user, system } = process.cpuUsage(this.#cpu);
    const children = cpuSecondsOfChildren() - this.#cpuOfChildren;
    const elapsed = (performance.now() - this.#startedAtMs) / 1e3;
    const seconds = [(user + system) / 1e6, children, elapsed].map((one) => one.toFixed(2));
    appendFileSync(file, `${seconds.join('\t')}\t${this.#file}\n`);
  }

  /** Jest asks whether there is one; nothing of ours runs in it. */
  getVmContext() {
    return null;
  }
}
