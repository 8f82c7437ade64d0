/**
 * Copies the files of the embedded database while a relay writes to them, as pg_basebackup does: after a checkpoint, data before log.
 * Postgres then recovers the copy as after a crash: its log has everything that was written since the checkpoint, with whole images of the
 * pages that changed, so that it does not matter in which state a page was copied. The copy is of the moment at which its log ends.
 */
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { BackupError } from './backup-format.js';

const LOG = 'pg_wal';
/** Names the last checkpoint. */
const CONTROL_FILE = path.join('global', 'pg_control');
/** Files of the process that has the database open. */
const NOT_COPIED: ReadonlySet<string> = new Set(['postmaster.pid', 'postmaster.opts']);

/**
 * To be called right after a checkpoint. No other may happen meanwhile, because it removes what the copy needs of the log: the relay
 * makes none for a while, and PGlite makes one when it closes.
 * @param copy does not exist
 * @throws BackupError when there was another checkpoint, or too little space · the signal's reason
 */
export async function copyDatabase(source: string, copy: string, signal?: AbortSignal): Promise<void> {
  await requireSpace(source, path.dirname(copy));
  const control = await readFile(path.join(source, CONTROL_FILE));
  await copyTree(source, copy, (name) => name !== LOG && !NOT_COPIED.has(name), signal);
  await copyTree(path.join(source, LOG), path.join(copy, LOG), () => true, signal);
  if (!control.equals(await readFile(path.join(source, CONTROL_FILE)))) {
    throw new BackupError('the relay was stopped or restarted during the backup: take it again');
  }
}

/** A full disk would stop the relay. */
async function requireSpace(source: string, directory: string): Promise<void> {
  const needed = await sizeOf(source);
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize >= 2 * needed) return;
  throw new BackupError(
    `too little space in ${directory}: the backup copies the database for a short time, and as much must stay free, together ${inMegabytes(2 * needed)} MB`,
  );
}

const inMegabytes = (bytes: number): string => String(Math.ceil(bytes / 1e6));

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += (await unlessGone(stat(path.join(entry.parentPath, entry.name))))?.size ?? 0;
  }
  return bytes;
}

async function copyTree(
  source: string,
  copy: string,
  isCopied: (name: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  await mkdir(copy, { mode: 0o700 });
  for (const entry of await readdir(source, { withFileTypes: true })) {
    signal?.throwIfAborted();
    if (!isCopied(entry.name)) continue;
    const from = path.join(source, entry.name);
    const to = path.join(copy, entry.name);
    if (entry.isDirectory()) await copyTree(from, to, () => true, signal);
    // Without new blocks where the file system can do that. A table that was dropped meanwhile is dropped in the log, too.
    else if (entry.isFile()) await unlessGone(copyFile(from, to, constants.COPYFILE_FICLONE));
  }
}

async function unlessGone<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
