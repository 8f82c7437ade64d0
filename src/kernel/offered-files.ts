/**
 * Model files that this computer's owner offers to its node, which installs them as `local:<file name>`. The command line writes an
 * offer and the node reads it, both on this computer: nobody can name a path of it through the relay.
 */
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { dataDirectory } from './data-directory.js';
import { parseJson } from './json-object.js';

export const OFFERED_SCHEME = 'local:';

/** An install that is interrupted for longer must be asked for again. */
const KEPT_MS = 14 * 86_400_000;

const offerSchema = z.object({ path: z.string().min(1) });

type Environment = Readonly<Record<string, string | undefined>>;

const directoryOf = (env: Environment): string => path.join(dataDirectory(env), 'node', 'offered-files');

/** Uses only the last part of a name, so that no name leads out of the directory. */
const recordOf = (env: Environment, fileName: string): string =>
  path.join(directoryOf(env), `${path.basename(fileName)}.json`);

/** Replaces an earlier offer of the same file name. @param file absolute path. @returns the source of the install */
export async function offerFile(env: Environment, file: string): Promise<string> {
  const directory = directoryOf(env);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await deleteStale(directory);
  const fileName = path.basename(file);
  await writeFileAtomic(recordOf(env, fileName), JSON.stringify({ path: file }), { mode: 0o600 });
  return `${OFFERED_SCHEME}${fileName}`;
}

/** The path behind an offered file name; undefined: it is not offered. */
export async function offeredFile(env: Environment, fileName: string): Promise<string | undefined> {
  const text = await readFile(recordOf(env, fileName), 'utf8').catch(() => '');
  return offerSchema.safeParse(parseJson(text)).data?.path;
}

export const withdrawOffer = (env: Environment, fileName: string): Promise<void> =>
  rm(recordOf(env, fileName), { force: true });

async function deleteStale(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const file = path.join(directory, name);
    const changedMs = (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
    if (Date.now() - changedMs > KEPT_MS) await rm(file, { force: true });
  }
}
