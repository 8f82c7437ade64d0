/**
 * `@jest/globals` for spec files that are ordinary modules. Jest makes these functions anew for each spec file, while modules that import
 * them are evaluated once per process: so each name stands for the function of the spec file that runs now.
 */

/** @type {Record<string, Function>} */
let current = {};

export const setTestGlobals = (globals) => (current = globals);

const standIn = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, _self, args) => current[name](...args),
    get: (_target, key) => current[name][key],
  });

export const afterAll = standIn('afterAll');
export const afterEach = standIn('afterEach');
export const beforeAll = standIn('beforeAll');
export const beforeEach = standIn('beforeEach');
export const describe = standIn('describe');
export const expect = standIn('expect');
export const it = standIn('it');
export const test = standIn('test');
export const jest = new Proxy({}, { get: (_target, key) => current.jest[key] });
