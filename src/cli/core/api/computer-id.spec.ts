import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { computerId } from './computer-id.js';

describe('the id of a computer', () => {
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'ferry-computer-'));
    file = path.join(directory, 'data', 'computer-id');
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const idHere = (): Promise<string> => computerId({ FERRY_DATA_DIR: path.join(directory, 'data') });

  it('stays the same, and belongs to the data directory', async () => {
    const id = await idHere();
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(await idHere()).toBe(id);
    expect(await computerId({ FERRY_DATA_DIR: path.join(directory, 'other') })).not.toBe(id);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('the id of a computer is one for commands that make it at the same time', async () => {
    const ids = await Promise.all([idHere(), idHere(), idHere()]);
    expect(new Set(ids).size).toBe(1);
  });

  it('the id of a computer is made anew when the file holds something else', async () => {
    const id = await idHere();
    await writeFile(file, 'something else\n');
    expect(await idHere()).not.toBe(id);
    expect((await readFile(file, 'utf8')).trim()).toBe(await idHere());
  });
});
