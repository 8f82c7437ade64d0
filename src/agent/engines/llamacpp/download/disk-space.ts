import { statfs } from 'node:fs/promises';
import { OperationFailure } from '../../engine-management.js';
import { sizeText } from '../size-text.js';

/** Free bytes of the disk that the directory is on. */
export type FreeDiskBytes = (directory: string) => Promise<number>;

/** What this user may still write, not what root may. */
export const freeDiskBytes: FreeDiskBytes = async (directory) => {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
};

/** A disk is never filled to the brim: the rest of the computer, the node's own state included, lives on it, too. */
const RESERVE_BYTES = 512 * 1_024 * 1_024;
const CHECK_EVERY_BYTES = 256 * 1_024 * 1_024;

/** Watches the room for one file while it is being written: others write on the same disk. */
export class DiskSpace {
  private nextCheckAt = 0;

  constructor(
    private readonly directory: string,
    private readonly free: FreeDiskBytes,
  ) {}

  /** @param written bytes so far. @param total of the file; null: not known. @throws OperationFailure `disk_full` with the figures */
  async check(written: number, total: number | null): Promise<void> {
    if (written < this.nextCheckAt) return;
    this.nextCheckAt = written + CHECK_EVERY_BYTES;
    const missing = total === null ? 0 : total - written;
    const free = await this.free(this.directory);
    if (free >= missing + RESERVE_BYTES) return;
    throw new OperationFailure(
      'disk_full',
      `${total === null ? 'the download' : `${sizeText(missing)} more and ${sizeText(RESERVE_BYTES)} of reserve`} ` +
        `do not fit on the disk of ${this.directory}: ${sizeText(free)} are free. Make room and install again to go on.`,
    );
  }
}
