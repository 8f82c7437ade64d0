import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { installBuiltInEngine } from './engine-packages.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ferry-engine-packages-'));
  mkdirSync(path.join(folder, 'bin'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const npmThat = (script: string): Record<string, string> => {
  const program = path.join(folder, 'bin/npm');
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return { FERRY_DATA_DIR: folder, PATH: `${path.join(folder, 'bin')}:/usr/bin:/bin` };
};
const install = (script: string): Promise<void> =>
  installBuiltInEngine(npmThat(script), { signal: new AbortController().signal });
const packages = (): string => path.join(folder, 'engine/llamacpp');

describe('the packages of the built-in engine', () => {
  it('are installed from the lock file that comes with Ferry, without scripts', async () => {
    await install(
      '[ -f package-lock.json ] && [ -f stub/package.json ] && mkdir node_modules && echo "$@" > node_modules/words',
    );
    expect(existsSync(path.join(packages(), 'node_modules/words'))).toBe(true);
    await install('case "$*" in *--ignore-scripts*) mkdir node_modules ;; *) exit 1 ;; esac');
    // Replaced as a whole.
    expect(existsSync(path.join(packages(), 'node_modules/words'))).toBe(false);
  });

  it('are left as they were by an installation that fails', async () => {
    await install('mkdir node_modules');
    await expect(install('mkdir node_modules; echo npm error network >&2; exit 1')).rejects.toThrow(
      'npm error network',
    );
    expect(existsSync(path.join(packages(), 'node_modules'))).toBe(true);
  });
});
