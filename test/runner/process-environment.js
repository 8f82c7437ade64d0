/**
 * Jest's `testEnvironment` (jest.config.js) for spec files that run as ordinary modules of the worker's process: gives them `jest`, and puts
 * back after each spec file what it may have changed in the process.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

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
    const { fakeTimersModern: timers, moduleMocker: mocks } = this;
    this.jest = {
      fn: (implementation) => mocks.fn(implementation),
      spyOn: (object, name, access) => mocks.spyOn(object, name, access),
      setTimeout: (ms) => void (globalThis[TEST_TIMEOUT] = ms),
      useFakeTimers: (options) => timers.useFakeTimers(options),
      useRealTimers: () => timers.useRealTimers(),
      advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
      advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
      restoreAllMocks: () => mocks.restoreAllMocks(),
    };
  }

  async setup() {}

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
