import { statfs } from 'node:fs/promises';
import { OperationFailure } from '../../engine-management.js';
import { sizeText } from '../size-text.js';

/** Free bytes of the disk that the directory is on. */
export type FreeDiskBytes = (directory: string) => Promise<number>;

/** Excludes the reserve of root, which this user cannot write to. */
export const freeDiskBytes: FreeDiskBytes = async (directory) => {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
};

/** Kept free for the rest of the computer, including the node's own state. */
const RESERVE_BYTES = 512 * 1_024 * 1_024;
const CHECK_EVERY_BYTES = 256 * 1_024 * 1_024;

/** Checks the free space for a file while it is written, because other programs write to the same disk. */
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
        `do not fit on the disk of ${this.directory}: ${sizeText(free)} are free. Free disk space and install again to resume.`,
    );
  }
}
