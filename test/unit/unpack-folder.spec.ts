import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { packFolder } from '../../scripts/pack-folder.mjs';
import { unpackFolder } from '../../src/relay/platform/database/unpack-folder.js';

let folder: string;
let source: string;
let archive: string;
let target: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ferry-unpack-'));
  source = path.join(folder, 'source');
  archive = path.join(folder, 'archive.br');
  target = path.join(folder, 'target');
  await mkdir(path.join(source, 'base', '1'), { recursive: true });
  await mkdir(path.join(source, 'empty'));
  await writeFile(path.join(source, 'base', '1', 'nothing'), '');
  await writeFile(path.join(source, 'base', '1', 'zeros'), Buffer.alloc(600_000));
  await writeFile(path.join(source, 'base', 'text'), 'contents');
  await writeFile(path.join(source, 'last'), '');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a packed folder', () => {
  it('a packed folder is unpacked with all its files and folders, for this user only', async () => {
    await writeFile(archive, packFolder(source));
    await unpackFolder(archive, target);
    const names = await readdir(source, { recursive: true });
    expect((await readdir(target, { recursive: true })).sort()).toEqual(names.sort());
    expect(await readFile(path.join(target, 'base', '1', 'zeros'))).toEqual(Buffer.alloc(600_000));
    expect(await readFile(path.join(target, 'base', 'text'), 'utf8')).toBe('contents');
    expect((await stat(path.join(target, 'last'))).size).toBe(0);
    expect((await stat(target)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(target, 'base', 'text'))).mode & 0o777).toBe(0o600);
  });

  it.each([3, 40, 300_000])('a packed folder that ends after %d bytes is refused', async (bytes) => {
    const whole = brotliDecompressSync(packFolder(source));
    await writeFile(archive, brotliCompressSync(whole.subarray(0, bytes)));
    await expect(unpackFolder(archive, target)).rejects.toThrow(`${archive} ends early`);
  });

  it('a packed folder is not written into a folder that exists', async () => {
    await writeFile(archive, packFolder(source));
    await mkdir(target);
    await expect(unpackFolder(archive, target)).rejects.toThrow('EEXIST');
  });
});
