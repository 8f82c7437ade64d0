import { chmod, mkdir, rename, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { ownSocketDirectory, socketDirectory } from './local-socket.js';

/** Too long for the address of a socket, as a home directory in a company may be. */
const directory = path.join(os.homedir(), 'x'.repeat(100), String(process.pid));
const folder = socketDirectory(directory, 'darwin');
const find = (): Promise<string | undefined> => ownSocketDirectory(directory, 'darwin');

afterEach(() => Promise.all([folder, `${folder}-moved`].map((each) => rm(each, { recursive: true, force: true }))));

it('believes sockets under /tmp in a folder that is the user’s alone', async () => {
  expect(folder).toMatch(/^\/tmp\/ferry-/);
  expect(await find()).toBeUndefined();
  await mkdir(folder, { mode: 0o700 });
  expect(await find()).toBe(folder);
});

it('believes none where others can write, nor behind a link', async () => {
  await mkdir(folder);
  await chmod(folder, 0o777);
  expect(await find()).toBeUndefined();
  await chmod(folder, 0o700);
  await rename(folder, `${folder}-moved`);
  await symlink(`${folder}-moved`, folder);
  expect(await find()).toBeUndefined();
});

it('looks in the directory itself where its name is short enough', async () => {
  expect(await ownSocketDirectory('/data', 'darwin')).toBe('/data');
  expect(await ownSocketDirectory(directory, 'linux')).toBe(directory);
});
