import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

/** Path below the folder with `/`, and size in bytes; `null` of a folder, which comes before what is in it. */
export type PackedEntry = readonly [name: string, size: number | null];

const LENGTH_BYTES = 4;
/** A thousand files take 40 MB, of which only one piece is in memory. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Writes an archive of `scripts/make-database.mjs` into a new folder. It is Brotli over: the length of the list of entries (32 bits, big
 * endian), the list as JSON, the contents of the files in its order. Synchronous writes: at a start, nothing else waits for them.
 * @throws Error when the archive ends early; the folder is incomplete then
 */
export async function unpackFolder(archive: string, folder: string): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  const writer = new EntryWriter(folder);
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        writer.write(chunk);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  try {
    await pipeline(createReadStream(archive), createBrotliDecompress({ chunkSize: CHUNK_BYTES }), sink);
  } finally {
    writer.close();
  }
  if (!writer.isComplete) throw new Error(`${archive} ends early`);
}

class EntryWriter {
  private head = Buffer.alloc(0);
  private entries: readonly PackedEntry[] | undefined;
  private next = 0;
  private file: number | undefined;
  private left = 0;

  constructor(private readonly folder: string) {}

  get isComplete(): boolean {
    return this.entries !== undefined && this.next === this.entries.length && this.left === 0;
  }

  write(chunk: Buffer): void {
    let rest = this.entries === undefined ? this.readEntries(chunk) : chunk;
    while (rest.length > 0 && this.file !== undefined) {
      const written = writeSync(this.file, rest, 0, Math.min(rest.length, this.left));
      this.left -= written;
      rest = rest.subarray(written);
      if (this.left === 0) this.openNext();
    }
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }

  /** @returns what follows the list, nothing while it is incomplete */
  private readEntries(chunk: Buffer): Buffer {
    this.head = Buffer.concat([this.head, chunk]);
    const end = this.head.length < LENGTH_BYTES ? Infinity : LENGTH_BYTES + this.head.readUInt32BE(0);
    if (this.head.length < end) return Buffer.alloc(0);
    this.entries = JSON.parse(this.head.toString('utf8', LENGTH_BYTES, end)) as readonly PackedEntry[];
    const rest = this.head.subarray(end);
    this.head = Buffer.alloc(0);
    this.openNext();
    return rest;
  }

  /** Goes on to the next file with contents. Those in between are made. */
  private openNext(): void {
    this.close();
    for (let entry = this.entries?.[this.next]; entry !== undefined; entry = this.entries?.[this.next]) {
      this.next += 1;
      const [name, size] = entry;
      const target = path.join(this.folder, name);
      if (size === null) {
        mkdirSync(target, { mode: 0o700 });
        continue;
      }
      this.file = openSync(target, 'wx', 0o600);
      this.left = size;
      if (size > 0) return;
      this.close();
    }
  }
}
