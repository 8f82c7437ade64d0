import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dataDirectory } from '../../../kernel/data-directory.js';
import type { Environment } from '../../invocation.js';

const ID = /^[0-9a-f]{16}$/;

/**
 * The id of this computer: random, in its data directory. Two computers may have the same host name, as containers and cloned machines do;
 * a key that one of them made must not be replaced by the other.
 */
export async function computerId(env: Environment): Promise<string> {
  const file = path.join(dataDirectory(env), 'computer-id');
  const known = await readId(file);
  if (known !== undefined) return known;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const id = randomBytes(8).toString('hex');
  const draft = `${file}.${id}`;
  await writeFile(draft, `${id}\n`, { mode: 0o600 });
  try {
    // Atomic, unlike a write: of commands that run at the same time all get the id of the first.
    await link(draft, file);
    return id;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const other = await readId(file);
  if (other !== undefined) return other;
  // The file does not have an id.
  await writeFile(file, `${id}\n`, { mode: 0o600 });
  return id;
}

async function readId(file: string): Promise<string | undefined> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    return ID.test(text) ? text : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
