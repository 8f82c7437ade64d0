/**
 * Jest's `runtime` (jest.config.js): spec files and all that they import are ordinary ES modules of the worker's process. Jest's own runtime
 * evaluates every module again for every spec file, in a virtual machine of its own; here Nest, TypeORM and our sources are evaluated once
 * per worker. Time limits, hooks, reports and fake timers stay Jest's.
 *
 * The price: what a module keeps in the process is seen by the next spec file. `process-environment.js` puts back what Node keeps; state of
 * our own modules that leaks from one spec file into another is a defect of the module.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sourceMapFile } from '../../scripts/swc-loader.mjs';
import { setTestGlobals } from './jest-globals.js';

const require = createRequire(import.meta.url);

/** Jest asks for the source map of a file when it formats a stack. */
class CompiledSourceMaps extends Map {
  get(generated) {
    const file = generated.startsWith('file:') ? fileURLToPath(generated) : generated;
    if (!/\.tsx?$/.test(file) || !existsSync(file)) return undefined;
    return sourceMapFile(file);
  }
}

const imported = new Map();

const asyncHooks = require('node:async_hooks');
const { AsyncLocalStorage } = asyncHooks;
const mayReplaceStorage = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage').writable === true;
const testExecution = new AsyncLocalStorage();

/**
 * Jest's test framework makes a storage for each spec file. Node 20 goes through all storages ever used in the process for every promise, so
 * there they are one, which is used while a spec file runs. Later versions of Node do not, and their module cannot be changed.
 */
class TestExecutionStorage {
  constructor() {
    return testExecution;
  }
}

/** Also the list of what this module has required keeps a module, and with it all tests of a spec file. */
function forget(file) {
  const siblings = require.cache[file]?.parent?.children;
  siblings?.splice(siblings.indexOf(require.cache[file]), 1);
  delete require.cache[file];
}

export default class NativeRuntime {
  constructor(_config, environment) {
    this.environment = environment;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** A spec file that runs again in this process (`--watch`) is another module. */
  async unstable_importModule(file) {
    const times = imported.get(file) ?? 0;
    imported.set(file, times + 1);
    await import(`${pathToFileURL(file).href}${times === 0 ? '' : `?again=${times}`}`);
  }

  requireModule(file) {
    return require(file);
  }

  /** Jest's test framework: it keeps the tests of one spec file in its module and on `globalThis`, so each spec file gets a new one. */
  requireInternalModule(file) {
    forget(require.resolve(file));
    for (const name of ['EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES']) delete globalThis[Symbol.for(name)];
    if (mayReplaceStorage) asyncHooks.AsyncLocalStorage = TestExecutionStorage;
    try {
      return require(file);
    } finally {
      if (mayReplaceStorage) asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
    }
  }

  setGlobalsForRuntime(globals) {
    setTestGlobals({ ...globals, jest: this.environment.jest });
  }

  getSourceMaps() {
    return new CompiledSourceMaps();
  }

  getAllCoverageInfoCopy() {
    return undefined;
  }

  enterTestCode() {}
  leaveTestCode() {}
  teardown() {
    testExecution.disable();
  }
}
