/** bin/load-bundle.js, with bundles of two scripts in processes of their own. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const loader = path.resolve(import.meta.dirname, '../../bin/load-bundle.js');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ferry-bundle-'));
  await mkdir(path.join(folder, 'bundle'));
});

afterEach(() => rm(folder, { recursive: true }));

const lay = (name: string, hash: string, code: string): Promise<void> =>
  writeFile(
    path.join(folder, 'bundle', name),
    `/*${hash}*/(function (exports, require, module, __filename, __dirname, ferryBundleUrl, ferryImport) {${code}\n})`,
  );

/** The second script says `word`; `before` is done when the first one has been loaded. */
const layBoth = async (hash: string, word: string, before = ''): Promise<void> => {
  await lay(
    'first.js',
    hash,
    `${before}; const { join } = require('node:path');
    ferryImport('./second.js').then(({ say }) => process.stdout.write([say(), join('a', 'b'), ferryBundleUrl].join(' ')));`,
  );
  await lay('second.js', hash, `exports.say = () => '${word}';`);
};

const kept = (): string => path.join(folder, 'kept');

/** What the bundle writes, and for each script whether its code was compiled or kept. */
async function start(): Promise<{ readonly said: string; readonly code: readonly string[] }> {
  const program = `require(${JSON.stringify(loader)}).loadBundle(${JSON.stringify(path.join(folder, 'bundle'))}, ${JSON.stringify(kept())})('first.js')`;
  const env = { ...process.env, NODE_DEBUG: 'ferry-code', NODE_OPTIONS: '' };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--eval', program], { env });
  return { said: stdout, code: [...stderr.matchAll(/(?<=: ).*$/gm)].map(([line]) => line) };
}

const keptFiles = async (): Promise<string[]> => {
  const [version = ''] = await readdir(kept());
  return (await readdir(path.join(kept(), version))).map((name) => path.join(kept(), version, name));
};

describe('the loader of the bundle', () => {
  it('the loader of the bundle gives a script its imports and its place', async () => {
    await layBoth('1', 'hello');
    expect((await start()).said).toBe(`hello a/b file://${path.join(folder, 'bundle', 'first.js')}`);
  });

  it('runs a script once that another one requires and imports', async () => {
    await lay(
      'first.js',
      '1',
      `const { runs } = require('./second.js');
      ferryImport('./second.js').then((second) => process.stdout.write(String(second.runs === runs && runs.length)));`,
    );
    await lay('second.js', '1', `exports.runs = (globalThis.runs ??= []); exports.runs.push(1);`);
    expect((await start()).said).toBe('1');
  });

  it('runs a script again whose first run has failed', async () => {
    await lay(
      'first.js',
      '1',
      `const load = () => { try { return require('./second.js').word; } catch (error) { return error.message; } };
      process.stdout.write(load() + ' ' + load());`,
    );
    await lay(
      'second.js',
      '1',
      `if ((globalThis.runs = (globalThis.runs ?? 0) + 1) === 1) throw new Error('failed'); exports.word = 'done';`,
    );
    expect((await start()).said).toBe('failed done');
  });

  it('imports modules by their address from code that V8 has kept', async () => {
    const outside = path.join(folder, 'outside.mjs');
    await writeFile(outside, 'export const word = "outside";');
    await lay(
      'first.js',
      '1',
      `ferryImport(${JSON.stringify(`file://${outside}`)}).then(({ word }) => process.stdout.write(word));`,
    );
    expect((await start()).said).toBe('outside');
    expect(await start()).toEqual({ said: 'outside', code: ['first.js: kept'] });
  });

  it('takes the compiled code of an earlier start, also when that has changed flags of V8', async () => {
    await layBoth('1', 'hello', `require('node:v8').setFlagsFromString('--optimize-for-size')`);
    expect((await start()).code).toEqual(['first.js: compiled', 'second.js: compiled']);
    expect(await start()).toMatchObject({
      said: expect.stringMatching(/^hello/) as unknown,
      code: ['first.js: kept', 'second.js: kept'],
    });
  });

  it('takes no compiled code of another build', async () => {
    await layBoth('1', 'hello');
    await start();
    await layBoth('2', 'other');
    const { said, code } = await start();
    expect(said).toMatch(/^other/);
    expect(code).toEqual(['first.js: compiled', 'second.js: compiled']);
  });

  it('compiles again when what was kept is damaged', async () => {
    await layBoth('1', 'hello');
    await start();
    for (const file of await keptFiles()) {
      const bytes = await readFile(file);
      const middle = Math.floor(bytes.length / 2);
      bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
      await writeFile(file, bytes);
    }
    const { said, code } = await start();
    expect(said).toMatch(/^hello/);
    expect(code).toEqual(['first.js: compiled', 'second.js: compiled']);
    expect((await start()).code).toEqual(['first.js: kept', 'second.js: kept']);
  });

  it('the loader of the bundle runs it also where it cannot keep anything', async () => {
    await layBoth('1', 'hello');
    await writeFile(kept(), 'a file where the folder would be');
    expect((await start()).said).toMatch(/^hello/);
    expect((await start()).code).toEqual(['first.js: compiled', 'second.js: compiled']);
  });
});
