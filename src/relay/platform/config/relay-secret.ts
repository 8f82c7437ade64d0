import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const SECRET_BYTES = 48;
const SHORTEST_SECRET = 32;

/**
 * The secret beside the embedded database, generated at the first start. The complete file is linked into place, so that a crash leaves
 * no partial one.
 * @throws when the file is there but holds no secret: guessing a new one would void every node's and client's hints
 */
export async function ensureRelaySecret(directory: string): Promise<string> {
  const file = path.join(directory, 'secret');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const known = await read(file);
  if (known !== undefined) return known;
  const candidate = path.join(directory, `secret.${randomBytes(6).toString('hex')}.new`);
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  await writeFile(candidate, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(candidate, file);
    return secret;
  } catch (error) {
    // Another process was faster: its secret counts.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await read(file)) ?? secret;
  } finally {
    await rm(candidate, { force: true });
  }
}

/** Stores the secret of a restored backup. The complete file is renamed into place. */
export async function replaceRelaySecret(directory: string, secret: string): Promise<void> {
  const file = path.join(directory, 'secret');
  const candidate = `${file}.${randomBytes(6).toString('hex')}.new`;
  await writeFile(candidate, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await rename(candidate, file);
}

async function read(file: string): Promise<string | undefined> {
  try {
    const secret = (await readFile(file, 'utf8')).trim();
    if (secret.length < SHORTEST_SECRET)
      throw new Error(`${file} does not hold a secret of at least ${SHORTEST_SECRET} characters`);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
