/** The local credentials file of the quickstart: how the command line on the relay's own machine is signed in. */
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

/** Undefined when there is no such file, or nothing in it that we understand: both are answered with a new file. */
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

/** Whole or not at all, and never readable for others, not even for a moment. */
export async function writeCredentialsFile(file: string, credentials: LocalCredentials): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: OWNER_ONLY_DIRECTORY });
  await writeFileAtomic(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: OWNER_ONLY_FILE });
}
