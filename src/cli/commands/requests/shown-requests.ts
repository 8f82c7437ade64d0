/** The ids of the rows that `ferry requests` showed last, so that `ferry explain 2` is about the row that the person has seen. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { configDirectory } from '../../../kernel/data-directory.js';
import type { Environment } from '../../invocation.js';

const shown = z.object({ ids: z.array(z.string()) });

const fileOf = (env: Environment): string => path.join(configDirectory(env), 'shown-requests.json');

/** The list has been printed already: a directory that cannot be written is no failure of it. */
export async function keepShownRequests(env: Environment, ids: readonly string[]): Promise<void> {
  const file = fileOf(env);
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, `${JSON.stringify({ ids })}\n`, { mode: 0o600 });
  } catch {
    // `ferry explain N` counts the latest requests then.
  }
}

/** Undefined where none has been shown. */
export async function readShownRequests(env: Environment): Promise<readonly string[] | undefined> {
  try {
    return shown.safeParse(JSON.parse(await readFile(fileOf(env), 'utf8'))).data?.ids;
  } catch {
    return undefined;
  }
}
