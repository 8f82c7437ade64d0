/**
 * `@jest/globals` for spec files that are ordinary modules. Jest makes these functions anew for each spec file, while modules that import
 * them are evaluated once per process: so they are live bindings, set before each spec file.
 */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

export function setTestGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
