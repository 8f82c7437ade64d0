/** The file that keeps this computer signed in, one per profile. The relay's bootstrap writes the same shape into the data directory. */
import { chmod, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { parseJson } from '../../../kernel/json-object.js';

const credentialsSchema = z.object({
  version: z.literal(1),
  base_url: z.url({ protocol: /^https?$/ }),
  account_id: z.string().min(1),
  cli_token: z.string().min(1),
  /** Only on the computer of `ferry up`. */
  cluster_id: z.string().min(1).optional(),
  /** For `ferry chat` and `ferry env`: of `ferry up`, or kept by `ferry keys create --save`. */
  api_key: z.string().min(1).optional(),
  /** The writer of the file in the configuration directory. `ferry up` replaces only what it wrote itself. */
  written_by: z.literal('up').optional(),
});

export type Credentials = z.output<typeof credentialsSchema>;

/** The file that the relay's bootstrap writes on its own computer, with the first cluster and the first key. */
export type BootstrapCredentials = Credentials & { readonly cluster_id: string; readonly api_key: string };

export const isBootstrap = (credentials: Credentials): credentials is BootstrapCredentials =>
  credentials.cluster_id !== undefined && credentials.api_key !== undefined;

export const credentialsPath = (directory: string): string => path.join(directory, 'credentials.json');

/**
 * Undefined when there is no such file.
 * @throws Error when it cannot be read or is not ours; the message never quotes the content
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

/** Replaces the file in one step, readable by its owner only. */
export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomic(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  // An older file with wider permissions hands them down to its replacement.
  await chmod(file, 0o600);
}
