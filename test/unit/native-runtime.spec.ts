/** What test/runner promises to every spec file, seen in a run of Jest of its own. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const runner = path.resolve(import.meta.dirname, '../runner');
const jestProgram = path.resolve(import.meta.dirname, '../../node_modules/jest/bin/jest.js');

const files = {
  'evaluations.ts': `
    const counted = globalThis as { evaluations?: number };
    counted.evaluations = (counted.evaluations ?? 0) + 1;
    export const evaluations = (): number | undefined => counted.evaluations;`,
  '1-careless.spec.ts': `
    import { describe, expect, it, jest } from '@jest/globals';
    import path from 'node:path';
    import { evaluations } from './evaluations.js';
    it('changes the process', () => {
      process.env['LEFT_BEHIND'] = 'yes';
      process.exitCode = 3;
      jest.spyOn(path, 'join').mockReturnValue('mocked');
      jest.useFakeTimers();
      expect(evaluations()).toBe(1);
    });
    describe('a block', () => {
      const large = {};
      Object.assign(globalThis, { ofTheFileBefore: new WeakRef(large) });
      it('uses what it has made', () => {
        expect(large).toEqual({});
      });
    });`,
  '2-next.spec.ts': `
    import { expect, it } from '@jest/globals';
    import path from 'node:path';
    import { setFlagsFromString } from 'node:v8';
    import { runInNewContext } from 'node:vm';
    import { setTimeout as delay } from 'node:timers/promises';
    import { evaluations } from './evaluations.js';
    it('finds the environment, timers and mocks as they were', async () => {
      expect(process.env['LEFT_BEHIND']).toBeUndefined();
      expect(path.join('a', 'b')).not.toBe('mocked');
      await new Promise((resolve) => setTimeout(resolve, 1));
      await delay(1);
    });
    it('shares modules with the file before', () => {
      expect(evaluations()).toBe(1);
    });
    it('keeps no test of the file before', async () => {
      setFlagsFromString('--expose-gc');
      // What was dereferenced in a turn of the event loop is kept until its end.
      await delay(1);
      (runInNewContext('gc') as () => void)();
      expect((globalThis as unknown as { ofTheFileBefore: WeakRef<object> }).ofTheFileBefore.deref()).toBeUndefined();
    });`,
  '3-failing.spec.ts': `
    import { afterEach, describe, expect, it } from '@jest/globals';
    interface Unused { readonly takesALine: true }
    it('fails', () => {
      expect(1).toBe(2);
    });
    it('takes too long', () => new Promise(() => undefined), 50);
    describe('a hook', () => {
      afterEach(() => { throw new Error('from the hook'); });
      it('fails its test', () => undefined);
    });
    it('leaves a rejection', async () => {
      void Promise.reject(new Error('nobody waited'));
      await new Promise((resolve) => setTimeout(resolve, 5));
    });`,
  '4-broken.spec.ts': `throw new Error('cannot be loaded');`,
};

let folder: string;
let results: Results;
let exitStatus: number | null;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ferry-runner-')));
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const config = {
    rootDir: folder,
    testMatch: ['**/*.spec.ts'],
    runtime: path.join(runner, 'native-runtime.js'),
    testEnvironment: path.join(runner, 'process-environment.js'),
    testSequencer: path.join(folder, 'by-name.cjs'),
    transform: {},
    injectGlobals: false,
  };
  const sequencer = `module.exports = class { sort(tests) { return [...tests].sort((a, b) => a.path.localeCompare(b.path)); }
    shard(tests) { return tests; } cacheResults() {} allFailedTests(tests) { return tests; } };`;
  writeFileSync(path.join(folder, 'by-name.cjs'), sequencer);
  const output = path.join(folder, 'results.json');
  const words = [jestProgram, '--config', JSON.stringify(config), '--runInBand', '--json', '--outputFile', output];
  ({ status: exitStatus } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8', timeout: 60_000 }));
  results = JSON.parse(readFileSync(output, 'utf8')) as Results;
}, 90_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const outcomes = (file: string): Record<string, string> =>
  Object.fromEntries(
    results.testResults
      .find(({ name }) => path.basename(name) === file)!
      .assertionResults.map(({ title, status }) => [title, status]),
  );

const messageOf = (title: string): string =>
  results.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find((result) => result.title === title)!
    .failureMessages.join('\n');

describe('a spec file', () => {
  it('finds the process as it was before the file that ran before, and its modules evaluated', () => {
    expect(outcomes('1-careless.spec.ts')).toEqual({
      'changes the process': 'passed',
      'uses what it has made': 'passed',
    });
    expect(outcomes('2-next.spec.ts')).toEqual({
      'finds the environment, timers and mocks as they were': 'passed',
      'shares modules with the file before': 'passed',
      'keeps no test of the file before': 'passed',
    });
  });

  it('fails by an assertion, a time limit, a hook, and a rejection without a handler', () => {
    expect(outcomes('3-failing.spec.ts')).toEqual({
      fails: 'failed',
      'takes too long': 'failed',
      'fails its test': 'failed',
      'leaves a rejection': 'failed',
    });
    expect(messageOf('takes too long')).toContain('Exceeded timeout');
    expect(messageOf('fails its test')).toContain('from the hook');
    expect(messageOf('leaves a rejection')).toContain('nobody waited');
  });

  it('a spec file is shown with the lines of its source', () => {
    expect(messageOf('fails')).toContain('3-failing.spec.ts:5:17');
  });

  it('a spec file that cannot be loaded fails the run', () => {
    expect(outcomes('4-broken.spec.ts')).toEqual({});
    expect(results).toMatchObject({ numPassedTests: 5, numFailedTests: 4, numRuntimeErrorTestSuites: 1 });
    expect(exitStatus).toBe(1);
  });
});
