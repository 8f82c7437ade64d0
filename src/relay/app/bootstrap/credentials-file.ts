/** The local credentials file of the quickstart, which signs in the command line on the relay's computer. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';

const schema = z.object({
  version: z.literal(1),
  base_url: z.string(),
  account_id: z.string(),
  cluster_id: z.string(),
  cli_token: z.string(),
  api_key: z.string(),
});

export type LocalCredentials = z.infer<typeof schema>;

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_DIRECTORY = 0o700;

/** Undefined when the file is missing or invalid: in both cases it is written anew. */
export async function readCredentialsFile(file: string): Promise<LocalCredentials | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Atomic, and never readable for others. */
export async function writeCredentialsFile(file: string, credentials: LocalCredentials): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: OWNER_ONLY_DIRECTORY });
  await writeFileAtomic(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: OWNER_ONLY_FILE });
}
