import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { ok, problem, type Finding } from './finding.js';

const GIBIBYTE = 1_024 * 1_024 * 1_024;
/** A small model. */
const LOW_BYTES = 2 * GIBIBYTE;
/** Databases and logs begin to fail. */
const FULL_BYTES = GIBIBYTE / 10;

type FreeBytes = (directory: string) => Promise<number>;

const freeOnDisk: FreeBytes = async (directory) => {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
};

/** @param check `disk_data` or `disk_models` */
export async function checkDisk(check: string, directory: string, freeBytes: FreeBytes = freeOnDisk): Promise<Finding> {
  const facts = { directory };
  let free: number;
  try {
    free = await freeOfNearest(directory, freeBytes);
  } catch (error) {
    const reason = (error as Error).message;
    return problem('fail', check, `cannot look at ${directory}: ${reason}`, 'check its permissions', facts);
  }
  const summary = `${(free / 1e9).toFixed(1)} GB free in ${directory}`;
  const found = { ...facts, free_bytes: free };
  if (free < FULL_BYTES) return problem('fail', check, summary, 'free disk space', found);
  if (free < LOW_BYTES) return problem('warn', check, summary, 'free disk space before you install models', found);
  return ok(check, summary, found);
}

/** A directory that does not exist yet will be on the disk of its nearest existing parent. */
async function freeOfNearest(directory: string, freeBytes: FreeBytes): Promise<number> {
  try {
    return await freeBytes(directory);
  } catch (error) {
    const parent = path.dirname(directory);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === directory) throw error;
    return freeOfNearest(parent, freeBytes);
  }
}
