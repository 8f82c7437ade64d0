import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AdvisedError } from '../../../kernel/errors/advised-error.js';
import { installBuiltInEngine } from './engine-installation.js';

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
  writeFileSync(program, `#!/bin/sh\n[ "$1" = config ] && exit\n${script}\n`);
  chmodSync(program, 0o755);
  return { FERRY_DATA_DIR: folder, PATH: `${path.join(folder, 'bin')}:/usr/bin:/bin` };
};
const install = (script: string, onBytes?: (done: number, total: number) => void): Promise<void> =>
  installBuiltInEngine(npmThat(script), { signal: AbortSignal.any([]), ...(onBytes && { onBytes }) });
const packages = (): string => path.join(folder, 'engine/llamacpp');

describe('the packages of the built-in engine', () => {
  it('the packages of the built-in engine are installed from the lock file that comes with Ferry, without scripts', async () => {
    await install(
      '[ -f package-lock.json ] && [ -f stub/package.json ] && mkdir node_modules && echo "$@" > node_modules/words',
    );
    expect(existsSync(path.join(packages(), 'node_modules/words'))).toBe(true);
    await install('case "$*" in *--ignore-scripts*) mkdir node_modules ;; *) exit 1 ;; esac');
    // Replaced as a whole.
    expect(existsSync(path.join(packages(), 'node_modules/words'))).toBe(false);
  });

  it('the packages of the built-in engine are left as they were by an installation that fails', async () => {
    await install('mkdir node_modules');
    await expect(install('mkdir node_modules; echo npm error network >&2; exit 1')).rejects.toThrow(
      'npm error network',
    );
    expect(existsSync(path.join(packages(), 'node_modules'))).toBe(true);
    expect(existsSync(`${packages()}.new`)).toBe(false);
  });

  it('the packages of the built-in engine say how many bytes are there while they come', async () => {
    const seen: number[] = [];
    const script = 'sleep 1.2; mkdir node_modules; head -c 5000 /dev/zero > node_modules/a; sleep 1.2';
    await install(script, (done) => seen.push(done));
    expect(seen).toEqual([5_000]);
  });

  it('the packages of the built-in engine say in two lines that there is no network', async () => {
    const failure = install('echo npm error code EAI_AGAIN >&2; exit 1');
    await expect(failure).rejects.toMatchObject({
      message: 'npm cannot reach its registry',
      advice: 'is this computer online? Behind a proxy: npm config set https-proxy URL',
    });
    await expect(failure).rejects.toBeInstanceOf(AdvisedError);
  });

  it('ask npm for its cache only where the registry has no address, so that it fails at once', async () => {
    const env = { ...npmThat('echo "$@" >&2; exit 1'), npm_config_registry: 'https://registry.invalid/' };
    await expect(installBuiltInEngine(env, { signal: AbortSignal.any([]) })).rejects.toThrow(/--offline/);
  });

  it('the packages of the built-in engine are left as they were after Ctrl-C', async () => {
    const stop = new AbortController();
    const installing = installBuiltInEngine(npmThat('mkdir node_modules; exec sleep 60'), { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(installing).rejects.toThrow('stopped');
    expect(existsSync(`${packages()}.new`)).toBe(false);
  });
});
