/** The decisions of `npm run up` and `npm test` before they start anything. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import jestConfig from '../../jest.config.js';
import { closingLine } from '../../scripts/closing-line.mjs';
import { isBuilt, isInstalled, newestMtimeMs } from '../../scripts/freshness.mjs';
import { neededPlaces } from '../../scripts/lock-file.mjs';
import { keptByNpm } from '../../scripts/npm-options.mjs';
import { createStageLines, duration } from '../../scripts/stage-lines.mjs';
import { measureInstall, npm } from '../../scripts/install.mjs';
import { StepError } from '../../scripts/run.mjs';
import { createStepLine, progressText } from '../../scripts/step-line.mjs';
import { suites } from '../../scripts/suites.mjs';
import { seconds as knownSeconds } from '../runner/longest-first.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ferry-scripts-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a file and its folder with modification times of `second`. */
const at = (second: number, ...names: string[]): string => {
  const file = path.join(folder, ...names);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  for (let entry = file; entry.startsWith(folder); entry = path.dirname(entry)) utimesSync(entry, second, second);
  return file;
};

describe('the check for installed packages', () => {
  const packages = {
    '': {
      dependencies: { express: '5.0.0' },
      optionalDependencies: { other: '1.0.0' },
      devDependencies: { jest: '30.0.0' },
    },
    website: { dependencies: { react: '19.0.0' } },
    'node_modules/ferry-website': { resolved: 'website', link: true },
    'node_modules/express': { version: '5.0.0', integrity: 'sha512-e' },
    'node_modules/other': { version: '1.0.0', integrity: 'sha512-o', optional: true },
    'node_modules/react': { version: '19.0.0', integrity: 'sha512-r' },
    'node_modules/jest': { version: '30.0.0', integrity: 'sha512-j', dev: true },
  };
  const write = (file: string, content: object): void => {
    writeFileSync(at(1, file), JSON.stringify(content));
  };
  const installed = (...names: (keyof typeof packages)[]): void => {
    const present = Object.fromEntries(names.map((name) => [name, packages[name]]));
    write('node_modules/.package-lock.json', { packages: present });
    for (const name of names) mkdirSync(path.join(folder, name), { recursive: true });
  };
  beforeEach(() => {
    write('package-lock.json', { packages });
  });

  it("fails without node_modules, without npm's marker file, and with half of one", () => {
    expect(isInstalled(folder)).toBe(false);
    at(20, 'node_modules', 'express', 'index.js');
    expect(isInstalled(folder)).toBe(false);
    writeFileSync(at(20, 'node_modules', '.package-lock.json'), '{"packages": {');
    expect(isInstalled(folder)).toBe(false);
  });

  it('passes with everything except what is for other computers', () => {
    installed('node_modules/express', 'node_modules/react', 'node_modules/jest');
    expect(isInstalled(folder)).toBe(true);
  });

  it('fails without the folder of a package', () => {
    installed('node_modules/express', 'node_modules/react', 'node_modules/jest');
    rmSync(path.join(folder, 'node_modules/express'), { recursive: true });
    expect(isInstalled(folder)).toBe(false);
  });

  it('asks only for what some folders need to run', () => {
    installed('node_modules/express');
    expect(isInstalled(folder, [''])).toBe(true);
    expect(isInstalled(folder, ['', 'website'])).toBe(false);
    installed('node_modules/express', 'node_modules/react');
    expect(isInstalled(folder, ['', 'website'])).toBe(true);
    expect(isInstalled(folder)).toBe(false);
  });

  it.each(['version', 'integrity'])('fails after the %s in the lock file changed', (field) => {
    installed('node_modules/express', 'node_modules/react', 'node_modules/jest');
    const express = { ...packages['node_modules/express'], [field]: 'another' };
    write('package-lock.json', { packages: { ...packages, 'node_modules/express': express } });
    expect(isInstalled(folder)).toBe(false);
  });
});

describe('what some folders need to run', () => {
  it('is found where Node looks, with required peers, without packages for development', () => {
    const packages = {
      '': { dependencies: { a: '1' }, devDependencies: { tool: '1' } },
      site: { dependencies: { a: '2', b: '1' } },
      'node_modules/a': {
        dependencies: { b: '2' },
        peerDependencies: { p: '1', tool: '1' },
        peerDependenciesMeta: { tool: { optional: true } },
      },
      'node_modules/a/node_modules/b': {},
      'node_modules/b': { dependencies: { a: '1', none: '1' } },
      'node_modules/p': {},
      'node_modules/tool': {},
      'site/node_modules/a': {},
    };
    expect([...neededPlaces({ packages }, [''])].sort()).toEqual([
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/p',
    ]);
    expect([...neededPlaces({ packages }, ['site'])].sort()).toEqual([
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/b',
      'node_modules/p',
      'site/node_modules/a',
    ]);
  });
});

describe('the check for a fresh build', () => {
  it('fails without a stamp', () => {
    const source = at(10, 'src', 'main.ts');
    expect(isBuilt(path.join(folder, 'dist', '.built'), [source])).toBe(false);
  });

  it('passes until any source file changes', () => {
    at(10, 'src', 'deep', 'main.ts');
    const stamp = at(20, 'dist', '.built');
    utimesSync(path.join(folder, 'src'), 10, 10);
    const source = path.join(folder, 'src');
    expect(isBuilt(stamp, [source])).toBe(true);
    at(30, 'src', 'deep', 'main.ts');
    expect(isBuilt(stamp, [source])).toBe(false);
  });

  it('fails after a source was deleted', () => {
    at(10, 'src', 'old.ts');
    const stamp = at(20, 'dist', '.built');
    utimesSync(path.join(folder, 'src'), 10, 10);
    rmSync(path.join(folder, 'src', 'old.ts'));
    expect(isBuilt(stamp, [path.join(folder, 'src')])).toBe(false);
  });

  it('the check for a fresh build does not look at packages, which the lock file speaks for', () => {
    at(10, 'console', 'main.ts');
    const stamp = at(20, 'dist', '.built');
    at(30, 'console', 'node_modules', 'react', 'index.js');
    utimesSync(path.join(folder, 'console'), 10, 10);
    expect(isBuilt(stamp, [path.join(folder, 'console')])).toBe(true);
  });

  it('tolerates a missing input', () => {
    expect(newestMtimeMs(path.join(folder, 'nothing'))).toBe(0);
  });
});

describe('the steps before the start', () => {
  const shown = async (isTTY: boolean, work: (steps: ReturnType<typeof createStepLine>) => Promise<void>) => {
    let text = '';
    await work(createStepLine({ isTTY, write: (chunk: string) => (text += chunk) }));
    return text;
  };
  const two = async (steps: ReturnType<typeof createStepLine>) => {
    await steps.run('packages', (output) => {
      output('a lot of output');
      return Promise.resolve();
    });
    await steps.run('build', () => Promise.resolve());
    steps.end();
  };

  it('the steps before the start are a line each in a pipe, without what the programs print', async () => {
    expect(await shown(false, two)).toBe('  ✓ packages 0 s\n  ✓ build 0 s\n');
  });

  it('the steps before the start show what a failed one printed, and pass the failure on', async () => {
    const text = await shown(false, async (steps) => {
      const failing = steps.run('packages', (output) => {
        output('npm error ERESOLVE\n');
        return Promise.reject(new Error('npm ci failed'));
      });
      await expect(failing).rejects.toThrow('npm ci failed');
    });
    expect(text).toBe('npm error ERESOLVE\n');
  });
});

describe('a step that is measured', () => {
  it('a step that is measured has a bar with rate and time left, within a line', () => {
    expect(progressText({ done: 0, total: 640 }, 500, 500)).toBe('');
    const text = progressText({ done: 214, total: 640 }, 12_000, 400);
    expect(text).toBe('33%  214/640  18/s  00:24  ━━━╌╌╌╌╌╌╌');
    expect(progressText({ done: 110, total: 120, before: 100 }, 10_000, 0)).toContain('  1/s  00:10  ');
    expect(progressText({ done: 100, total: 120, before: 100 }, 10_000, 0)).toBe('');
    expect(`  ⠹ packages 120 s  ${text}`.length).toBeLessThan(80);
  });

  it('asks for the network when nothing has come for long', () => {
    expect(progressText({ done: 3, total: 640 }, 40_000, 22_000)).toBe(
      'nothing has come for 22 s; is this computer online?',
    );
  });

  it('counts the packages that are unpacked, of those for this computer', () => {
    const { done, total } = measureInstall(['', 'console', 'scripts'])();
    expect(total).toBeGreaterThan(50);
    // Whoever runs this has them, but for some that npm says are optional.
    expect(done / total).toBeGreaterThan(0.98);
  });

  it('a step without a network fails with what to do, without the words of npm', async () => {
    let text = '';
    const steps = createStepLine({ isTTY: false, write: (chunk: string) => (text += chunk) });
    const failing = steps.run('packages', (output) => {
      output('npm error code ENOTCACHED\n');
      return Promise.reject(new StepError('npm cannot reach its registry', { advice: 'is this computer online?' }));
    });
    await expect(failing).rejects.toThrow('npm cannot reach its registry');
    expect(text).toBe('');
  });
});

describe('npm', () => {
  const before = process.env['npm_execpath'];
  afterEach(() => {
    if (before === undefined) delete process.env['npm_execpath'];
    else process.env['npm_execpath'] = before;
  });

  /** @param missing as npm says that its cache does not know a version of the lock file @returns the words of each call that installs */
  async function calls(missing: string): Promise<readonly string[]> {
    const log = path.join(folder, 'calls');
    const program = path.join(folder, 'npm-cli.js');
    writeFileSync(
      program,
      `const words = process.argv.slice(2).join(' ');
       if (words.startsWith('config')) console.log('http://localhost');
       else require('node:fs').appendFileSync(${JSON.stringify(log)}, words + '\\n');
       if (words.includes('--prefer-offline')) { console.error(${JSON.stringify(missing)}); process.exitCode = ${missing === '' ? 0 : 1}; }`,
    );
    process.env['npm_execpath'] = program;
    await npm(['ci'], { cwd: folder, name: 'npm ci', output: () => undefined });
    return readFileSync(log, 'utf8').trim().split('\n');
  }

  it('takes packages from its cache without asking the registry for each', async () => {
    expect(await calls('')).toEqual([expect.stringMatching(/^ci .*--prefer-offline$/)]);
  });

  it('asks the registry when the cache does not know a version of the lock file', async () => {
    expect(await calls('npm error code ETARGET')).toEqual([
      expect.stringMatching(/--prefer-offline$/),
      expect.stringMatching(/^ci .*--prefer-online$/),
    ]);
  });

  it('does not try again after another failure', async () => {
    await expect(calls('npm error code EINTEGRITY')).rejects.toThrow();
    expect(readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n')).toHaveLength(1);
  });
});

describe('options of npm run up without --', () => {
  it.each([
    [{ npm_config_host: 'true' }, ['0.0.0.0'], '--host 0.0.0.0', 'npm run up -- --host 0.0.0.0'],
    [{ npm_config_port: '9000' }, [], '--port 9000', 'npm run up -- --port 9000'],
    [
      { npm_config_host: 'true', npm_config_data_dir: 'true', npm_config_json: 'true' },
      ['::', '/data'],
      '--host :: --data-dir /data',
      'npm run up -- --host :: --data-dir /data --json',
    ],
    [{ npm_config_qr: 'true', npm_lifecycle_event: 'start' }, [], '--qr', 'npm start -- --qr'],
    [{ npm_config_host: 'true' }, [], '--host', 'npm run up -- --host'],
  ])('%j with %j: says what npm kept, and the line that works', (env, words, taken, instead) => {
    expect(keptByNpm(env, words)).toEqual({ taken, instead });
  });

  it('options of npm run up without -- are nothing to complain of where npm has kept none', () => {
    expect(keptByNpm({ npm_config_json: 'true', npm_config_yes: '', npm_config_audit: '' }, ['--host', 'x'])).toBe(
      undefined,
    );
  });

  it('options of npm run up without -- end the start before anything is installed', () => {
    const script = path.join(import.meta.dirname, '../../scripts/up.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '0.0.0.0'], {
      encoding: 'utf8',
      env: { npm_config_host: 'true' },
    });
    expect(status).toBe(2);
    expect(stderr).toBe(
      'error: npm kept --host 0.0.0.0 for itself, because -- is missing\n  try: npm run up -- --host 0.0.0.0\n',
    );
  });
});

describe('the closing line of a test run', () => {
  it('names skipped tests, if any', () => {
    expect(closingLine({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
    expect(closingLine({ passed: 3, failed: 1, skipped: 2 })).toBe('3 passed, 1 failed, 2 skipped');
  });
});

describe('the stages of the tests', () => {
  it('the stages of the tests are a numbered line each in a pipe, with result and time, when they end', () => {
    let text = '';
    const names = ['lint', ...Array.from({ length: 10 }, () => 'format'), 'unit'];
    const lines = createStageLines(names, { write: (chunk: string) => (text += chunk) });
    const lint = lines.start(1, 'lint');
    const unit = lines.start(7, 'unit');
    unit.progress('3 of 480 files');
    unit.end(true, '7463 passed');
    lint.end(false, '');
    lines.end();
    expect(text).toBe(' ✓  7/12  unit        0.0 s  7463 passed\n ✗  1/12  lint        0.0 s\n');
  });

  it('the stages of the tests say how long they took as people do', () => {
    expect([400, 59_400, 61_000, 605_000].map(duration)).toEqual(['0.4 s', '59.4 s', '1 min 1 s', '10 min 5 s']);
  });

  it('the stages of the tests exist for every project of Jest, and for no other', () => {
    const projects = (jestConfig as { projects: readonly { displayName: string }[] }).projects;
    const named = suites.filter(({ script }) => script === undefined).map(({ name }) => name);
    expect([...named].sort()).toEqual(projects.map(({ displayName }) => displayName).sort());
  });

  it('the stages of static checks are scripts of the package', () => {
    const { scripts } = JSON.parse(readFileSync(path.resolve('package.json'), 'utf8')) as { scripts: object };
    for (const { script } of suites) if (script !== undefined) expect(scripts).toHaveProperty(script);
  });

  it('the stages of the tests begin with the longest spec files, which are there under these names', () => {
    const files = ['src', 'test'].flatMap((place) =>
      readdirSync(place, { recursive: true, encoding: 'utf8' }).map((file) => path.join(place, file)),
    );
    for (const name of Object.keys(knownSeconds)) {
      expect(files.filter((file) => file.endsWith(path.normalize(`/${name}.spec.ts`)))).toHaveLength(1);
    }
  });

  it('the stages of the tests are run by CI where they say so', () => {
    const ci = readFileSync(path.resolve('.ci/run'), 'utf8');
    const left = suites.filter(({ about }) => about.includes('also in CI'));
    expect(left.length).toBeGreaterThan(3);
    for (const { name, onRequest } of left) {
      expect(onRequest).toBe(true);
      expect(ci).toMatch(new RegExp(`^ *run npm .*\\b${name}\\b`, 'm'));
    }
  });

  const npmTest = (...words: string[]) =>
    spawnSync(process.execPath, ['scripts/test.mjs', ...words], { encoding: 'utf8' });

  it('the stages of the tests are all in the list, with when they run', () => {
    const [first = '', onRequest = ''] = npmTest('--list').stdout.split('On request');
    for (const suite of suites) expect(suite.onRequest === true ? onRequest : first).toContain(`\n  ${suite.name} `);
  });

  it('the stages of the tests are asked for by name: another one is a failure that says where the names are', () => {
    const { status, stdout } = npmTest('unti');
    expect(status).toBe(1);
    expect(stdout).toBe('error: there is no suite "unti"; npm test -- --list\n\n0 passed, 1 failed\n');
  });
});
