/**
 * Jest's `testEnvironment` (jest.config.js) for spec files that run as ordinary modules of the worker's process: gives them `jest`, and puts
 * back after each spec file what it may have changed in the process.
 */
import { createRequire } from 'node:module';
import { timeFactor } from './time-factor.js';

const require = createRequire(import.meta.url);
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

const methodsOf = (object, names) => Object.fromEntries(names.map((name) => [name, object[name].bind(object)]));

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
  #before = {
    console: globalThis.console,
    env: { ...process.env },
    exit: process.exit,
    exitCode: process.exitCode,
    cwd: process.cwd(),
    stackTraceLimit: Error.stackTraceLimit,
  };

  constructor({ projectConfig }) {
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
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Jest asks whether there is one; nothing of ours runs in it. */
  getVmContext() {
    return null;
  }
}
