import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, rm, open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BackupError } from './backup-format.js';

/** A new file that only its owner can read. @throws the signal's reason when it is aborted */
export async function writeBackupFile(file: string, text: AsyncIterable<string>, signal?: AbortSignal): Promise<void> {
  const created = createWriteStream(file, { mode: 0o600, flags: 'wx' });
  await pipeline(Readable.from(text), createGzip(), created, ...(signal === undefined ? [] : [{ signal }]));
}

/**
 * Creates `file` by `write`, reads it back by `check`, and gives it its name only then: a file of that name is a whole one.
 * @throws BackupError when there is such a file already
 */
export async function createCheckedFile<Checked>(
  file: string,
  write: (unfinished: string) => Promise<void>,
  check: (unfinished: string) => Promise<Checked>,
): Promise<Checked> {
  const unfinished = `${path.resolve(file)}.${randomBytes(4).toString('hex')}.part`;
  try {
    await write(unfinished);
    const checked = await check(unfinished);
    await flush(unfinished);
    await link(unfinished, file);
    return checked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new BackupError(`${file} exists already`, 'choose another name', { cause: error });
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
