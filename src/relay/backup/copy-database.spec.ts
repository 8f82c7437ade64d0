import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { copyDatabase } from './copy-database.js';

let folder: string;
let source: string;
let copy: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ferry-copy-'));
  source = path.join(folder, 'pgdata');
  copy = path.join(folder, 'pgdata.copy');
  for (const part of ['global', 'base/5', 'pg_wal/summaries', 'pg_twophase']) {
    await mkdir(path.join(source, part), { recursive: true });
  }
  await writeFile(path.join(source, 'global/pg_control'), 'checkpoint 1');
  await writeFile(path.join(source, 'postmaster.pid'), '42');
  await writeFile(path.join(source, 'pg_wal/000000010000000000000003'), '0');
  for (let n = 0; n < 300; n += 1) await writeFile(path.join(source, `base/5/${n}`), '0');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** In one step, as seen by the copy. */
async function replace(name: string, text: string): Promise<void> {
  await writeFile(path.join(folder, 'next'), text);
  await rename(path.join(folder, 'next'), path.join(source, name));
}

async function writeWhile(copied: Promise<void>, write: (n: number) => Promise<void>): Promise<void> {
  let done = false;
  const watched = copied.finally(() => (done = true));
  // Awaited below.
  watched.catch(() => undefined);
  for (let n = 1; !done; n += 1) await write(n);
  await watched;
}

describe('a copy of the files of a database', () => {
  it('a copy of the files of a database has all of them, and nothing of the process that has it open', async () => {
    await copyDatabase(source, copy);
    expect(await readFile(path.join(copy, 'base/5/299'), 'utf8')).toBe('0');
    expect(await readFile(path.join(copy, 'pg_wal/000000010000000000000003'), 'utf8')).toBe('0');
    // Postgres does not start without its empty folders.
    expect((await stat(path.join(copy, 'pg_twophase'))).isDirectory()).toBe(true);
    expect((await stat(copy)).mode & 0o777).toBe(0o700);
    await expect(stat(path.join(copy, 'postmaster.pid'))).rejects.toThrow('ENOENT');
  });

  it('a copy of the files of a database has in its log all that its data has, although both are written meanwhile', async () => {
    const log = 'pg_wal/000000010000000000000003';
    const data = 'base/5/299';
    await writeWhile(copyDatabase(source, copy), async (n) => {
      await replace(log, String(n));
      await replace(data, String(n));
    });
    const numberIn = async (name: string): Promise<number> => Number(await readFile(path.join(copy, name), 'utf8'));
    expect(await numberIn(log)).toBeGreaterThanOrEqual(await numberIn(data));
  });

  it('a copy of the files of a database is refused when a checkpoint has removed a part of the log meanwhile', async () => {
    const copied = writeWhile(copyDatabase(source, copy), (n) => replace('global/pg_control', `checkpoint ${n}`));
    await expect(copied).rejects.toThrow('stopped or restarted during the backup');
  });

  it('ends between two files when it is aborted', async () => {
    await expect(copyDatabase(source, copy, AbortSignal.abort())).rejects.toThrow('aborted');
    await expect(stat(path.join(copy, 'base/5/0'))).rejects.toThrow('ENOENT');
  });
});
