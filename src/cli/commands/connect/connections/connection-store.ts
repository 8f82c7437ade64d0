/**
 * What `ferry connect` has done on this computer: one file per program in the configuration directory, with the key and with the texts of the
 * program's files before and after, so that they can be compared and restored.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { configDirectory } from '../../../../kernel/data-directory.js';
import { parseJson } from '../../../../kernel/json-object.js';
import type { Environment } from '../../../invocation.js';
import { connectablePrograms, type ConnectableProgram } from '../program-names.js';

const changedFileSchema = z.object({
  path: z.string(),
  as_default: z.boolean(),
  /** Null if there was no such file. */
  before: z.string().nullable(),
  after: z.string(),
});

const connectionSchema = z.object({
  version: z.literal(1),
  program: z.enum(connectablePrograms),
  base_url: z.string(),
  model: z.string(),
  /** The program's configured context; null if the engine did not report it. */
  context_tokens: z.number().int().nullable(),
  key_id: z.string().nullable(),
  api_key: z.string(),
  /** False for a key that was in the program's file before: it is not ours to revoke. */
  is_own_key: z.boolean(),
  /** Seconds since 1970. */
  connected: z.number().int(),
  files: z.array(changedFileSchema),
});

export type Connection = z.output<typeof connectionSchema>;
export type ChangedFile = Connection['files'][number];

const directoryOf = (env: Environment): string => path.join(configDirectory(env), 'connections');
const fileOf = (env: Environment, program: ConnectableProgram): string =>
  path.join(directoryOf(env), `${program}.json`);

/** Undefined when the program is not connected, or another version wrote the file. */
export async function readConnection(env: Environment, program: ConnectableProgram): Promise<Connection | undefined> {
  let text: string;
  try {
    text = await readFile(fileOf(env, program), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return connectionSchema.safeParse(parseJson(text)).data;
}

/** Keeps the order of {@link connectablePrograms}. */
export async function readConnections(env: Environment): Promise<readonly Connection[]> {
  const names = await readdir(directoryOf(env)).catch((): string[] => []);
  const known = connectablePrograms.filter((program) => names.includes(`${program}.json`));
  const found = await Promise.all(known.map((program) => readConnection(env, program)));
  return found.filter((connection) => connection !== undefined);
}

/** Readable by its owner only: it contains a key, and files that may contain others. */
export async function writeConnection(env: Environment, connection: Connection): Promise<void> {
  await mkdir(directoryOf(env), { recursive: true, mode: 0o700 });
  const text = `${JSON.stringify(connection, null, 2)}\n`;
  await writeFileAtomic(fileOf(env, connection.program), text, { mode: 0o600 });
}

export const removeConnection = (env: Environment, program: ConnectableProgram): Promise<void> =>
  rm(fileOf(env, program), { force: true });
