/** The credentials file, one per profile. The relay's bootstrap writes a file of the same format into the data directory. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { parseJson } from '../../../kernel/json-object.js';

const credentialsSchema = z.object({
  version: z.literal(1),
  base_url: z.url({ protocol: /^https?$/ }),
  account_id: z.string().min(1),
  cli_token: z.string().min(1),
  /** Only `ferry up` writes it. */
  cluster_id: z.string().min(1).optional(),
  /** Used by `ferry chat` and `ferry env`. Written by `ferry up` or `ferry keys create --save`. */
  api_key: z.string().min(1).optional(),
  /** Marks the writer of the file in the configuration directory: `ferry up` overwrites only its own. */
  written_by: z.literal('up').optional(),
});

export type Credentials = z.output<typeof credentialsSchema>;

/** The file written by the relay's bootstrap, which also contains the first cluster and the first key. */
export type BootstrapCredentials = Credentials & { readonly cluster_id: string; readonly api_key: string };

export const isBootstrap = (credentials: Credentials): credentials is BootstrapCredentials =>
  credentials.cluster_id !== undefined && credentials.api_key !== undefined;

export const credentialsPath = (directory: string): string => path.join(directory, 'credentials.json');

/**
 * Undefined when there is no such file.
 * @throws Error when the file is unreadable or has another format; the message never contains its content
 */
export async function readCredentials(file: string): Promise<Credentials | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Error(`cannot read ${file}: ${code ?? 'unknown error'}`, { cause: error });
  }
  const parsed = credentialsSchema.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(`${file} is not a credentials file of this version`);
  return parsed.data;
}

/** Replaces the file atomically, readable by its owner only. */
export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
}
