import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { packagedEngines } from './engine-packages.js';
import { checkLlamacpp, type LlamacppCheck } from './check-llamacpp.js';

const enginePackageDirectory = path.join(packagedEngines, 'llamacpp');
const tiny = path.join(packagedEngines, 'models', 'tiny.gguf');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ferry-check-'));
  await copyFile(tiny, path.join(folder, 'tiny.gguf'));
});
afterEach(() => rm(folder, { recursive: true }));

const check = (options: Partial<LlamacppCheck> = {}) =>
  checkLlamacpp({
    enginePackageDirectory,
    folders: { installed: folder, bundled: undefined },
    folderIsNamed: true,
    load: 'all',
    ...options,
  });

describe('the files of the built-in engine', () => {
  it('the files of the built-in engine are complete with packages, folder and models', async () => {
    expect(await check({ load: ['tiny'] })).toEqual([]);
  });

  it('the files of the built-in engine are incomplete without its packages', async () => {
    expect(await check({ enginePackageDirectory: folder })).toEqual([
      {
        summary: 'the built-in engine is not installed',
        next: expect.stringContaining('npm ci'),
        stopsEngine: true,
      },
    ]);
  });

  it('the files of the built-in engine are missing when the configured folder does not exist', async () => {
    const away = path.join(folder, 'away');
    const folders = { installed: away, bundled: undefined };
    expect(await check({ folders })).toMatchObject([{ summary: `the models folder ${away} does not exist` }]);
    // The usual one is made when it is first needed.
    expect(await check({ folders, folderIsNamed: false })).toEqual([]);
  });

  it('lack a model configured to be loaded', async () => {
    expect(await check({ load: ['tiny', 'qwen3'] })).toMatchObject([
      { summary: `"load" names qwen3, which is not in ${folder}`, stopsEngine: false },
    ]);
  });

  it('the files of the built-in engine are broken when a model is no GGUF file or is truncated', async () => {
    const whole = await readFile(tiny);
    await writeFile(path.join(folder, 'noise.gguf'), 'this is not a model');
    await writeFile(path.join(folder, 'half.gguf'), whole.subarray(0, whole.length / 2));
    expect((await check()).map(({ summary }) => summary).sort()).toEqual([
      expect.stringMatching(/half\.gguf is cut off: it has \d+ bytes/),
      expect.stringMatching(/noise\.gguf is not a readable GGUF file: /),
    ]);
  });
});
