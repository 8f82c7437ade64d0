import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { isInstanceId } from '../../kernel/ids.js';
import { ensureInstanceId } from './instance-id.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ferry-instance-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('the instance id is the same after a restart on the same data directory', async () => {
  const first = await ensureInstanceId(path.join(folder, 'relay'));
  expect(isInstanceId(first)).toBe(true);
  expect(await ensureInstanceId(path.join(folder, 'relay'))).toBe(first);
  expect(await ensureInstanceId(path.join(folder, 'other'))).not.toBe(first);
});

it('replaces a file that holds no id', async () => {
  await writeFile(path.join(folder, 'instance-id'), 'ins_1 and more');
  const created = await ensureInstanceId(folder);
  expect(isInstanceId(created)).toBe(true);
  expect(await ensureInstanceId(folder)).toBe(created);
});
