/** Installs of files that the owner of this computer offers. */
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failureOf } from '../../../../../test/engines/engine-questions.js';
import { offeredFile, offerFile } from '../../../../kernel/offered-files.js';
import { PartFile } from '../download/part-file.js';
import { isSameFile, takeFile } from './local-file.js';
import { ModelInstaller } from './model-installer.js';

let home: string;
let models: string;
let env: Record<string, string>;
let original: string;

beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), 'ferry-local-'));
  models = path.join(home, 'data/models');
  env = { FERRY_DATA_DIR: path.join(home, 'data') };
  original = path.join(home, 'mine.gguf');
  await writeFile(original, 'GGUF and what follows');
});

afterEach(() => rm(home, { recursive: true }));

const context = () => ({ signal: new AbortController().signal, report: () => undefined });

const install = (source: string, maxModelBytes = 1_000): Promise<string> =>
  new ModelInstaller({
    directory: models,
    env,
    userAgent: 'ferry-node/test',
    installSources: 'public',
    maxModelBytes,
    freeDiskBytes: () => Promise.resolve(10 ** 12),
    inspect: () => Promise.resolve(),
    onReady: () => Promise.resolve(),
  }).install(source, context(), () => false);

describe('an offered file', () => {
  it('an offered file is installed as a link under its name, once, and the offer is withdrawn', async () => {
    const source = await offerFile(env, original);
    expect(source).toBe('local:mine.gguf');
    expect(await install(source)).toBe('mine');
    expect((await stat(path.join(models, 'mine.gguf'))).ino).toBe((await stat(original)).ino);
    expect(await offeredFile(env, 'mine.gguf')).toBeUndefined();
    expect(await install(await offerFile(env, original))).toBe('mine');
  });

  it('an offered file has the name of a symbolic link and the content of its target', async () => {
    const linked = path.join(home, 'snapshots/linked.gguf');
    await mkdir(path.dirname(linked));
    await symlink('../mine.gguf', linked);
    expect(await install(await offerFile(env, linked))).toBe('linked');
    expect(await readFile(path.join(models, 'linked.gguf'), 'utf8')).toBe('GGUF and what follows');
  });

  it('an offered file does not replace another model of its name', async () => {
    await mkdir(models, { recursive: true });
    await writeFile(path.join(models, 'mine.gguf'), 'GGUF and other words!');
    const { code } = await failureOf(install(await offerFile(env, original)));
    expect(code).toBe('unsupported');
    expect(await readFile(path.join(models, 'mine.gguf'), 'utf8')).toBe('GGUF and other words!');
  });

  it('an offered file is refused when it is too large or gone', async () => {
    expect(await failureOf(install(await offerFile(env, original), 5))).toMatchObject({ code: 'unsupported' });
    await rm(original);
    expect(await failureOf(install('local:mine.gguf'))).toMatchObject({ code: 'invalid_source' });
  });
});

it.each(['local:mine.gguf', 'local:../../mine.gguf', 'local:/etc/passwd', 'local:mine.txt'])(
  'refuses %s, which has not been offered',
  async (source) => {
    expect(await failureOf(install(source))).toMatchObject({ code: 'invalid_source' });
  },
);

describe('a file that cannot be linked', () => {
  it('a file that cannot be linked is copied, with its progress', async () => {
    await mkdir(models, { recursive: true });
    const phases: string[] = [];
    // A link to /proc crosses file systems.
    const file = { path: '/proc/version', fileName: 'v.gguf', label: 'local:v.gguf', bytes: 0 };
    const bytes = (await readFile(file.path)).length;
    const part = new PartFile(models, file.fileName);
    await takeFile(
      { ...file, bytes },
      part,
      { ...context(), report: ({ phase }) => phases.push(phase) },
      { maxBytes: 10_000, freeDiskBytes: () => Promise.resolve(10 ** 12) },
    );
    expect(phases.at(-1)).toBe('copying');
    expect(await readFile(part.path)).toEqual(await readFile(file.path));
  });

  it('a file that cannot be linked has the same identity as an exact copy, and a different one from a changed copy', async () => {
    const copy = path.join(home, 'copy.gguf');
    const file = { path: original, fileName: 'mine.gguf', label: 'local:mine.gguf', bytes: 21 };
    await writeFile(copy, 'GGUF and what follows');
    expect(await isSameFile(copy, file, context())).toBe(true);
    await writeFile(copy, 'GGUF and what followz');
    expect(await isSameFile(copy, file, context())).toBe(false);
  });
});
