/** A download that is not complete: `<name>.gguf.part`, and beside it `<name>.gguf.part.json` with what it takes to go on. */
import { open, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { parseJson } from '../../../../kernel/json-object.js';

const sidecarSchema = z.object({
  source: z.string(),
  etag: z.string().nullable(),
  sha256: z.string().nullable(),
  total_bytes: z.number().int().min(0).nullable(),
});

/** Of which file the bytes are. */
export interface PartOrigin {
  readonly source: string;
  readonly etag: string | null;
  readonly sha256: string | null;
  readonly totalBytes: number | null;
}

export interface Resumable extends PartOrigin {
  readonly bytes: number;
}

export class PartFile {
  readonly path: string;
  private readonly target: string;
  private readonly sidecar: string;

  constructor(
    readonly directory: string,
    fileName: string,
  ) {
    this.target = path.join(directory, fileName);
    this.path = `${this.target}.part`;
    this.sidecar = `${this.path}.json`;
  }

  /** What there is of this source; undefined when there is nothing that could be gone on with. */
  async resumable(source: string): Promise<Resumable | undefined> {
    const [text, status] = await Promise.all([
      readFile(this.sidecar, 'utf8').catch(() => ''),
      stat(this.path).catch(() => undefined),
    ]);
    if (text === '' || status === undefined || status.size === 0) return undefined;
    const sidecar = sidecarSchema.safeParse(parseJson(text)).data;
    if (sidecar?.source !== source) return undefined;
    const { etag, sha256, total_bytes: totalBytes } = sidecar;
    return { source, etag, sha256, totalBytes, bytes: status.size };
  }

  /** Empty, and described before its first byte: whatever lies there later is of this origin. The caller closes the file. */
  async begin(origin: PartOrigin): Promise<FileHandle> {
    await this.discard();
    await this.describe(origin);
    return open(this.path, 'w', 0o600);
  }

  /** For writing behind what is there. The caller closes the file. */
  async goOn(origin: PartOrigin): Promise<FileHandle> {
    await this.describe(origin);
    return open(this.path, 'a', 0o600);
  }

  async discard(): Promise<void> {
    await Promise.all([rm(this.path, { force: true }), rm(this.sidecar, { force: true })]);
  }

  /** In one step the model is there under its own name. */
  async complete(): Promise<void> {
    await rename(this.path, this.target);
    await rm(this.sidecar, { force: true });
  }

  private describe({ source, etag, sha256, totalBytes }: PartOrigin): Promise<void> {
    const sidecar = { source, etag, sha256, total_bytes: totalBytes } satisfies z.input<typeof sidecarSchema>;
    // Not flushed to the disk: a description that a power cut loses only costs the resuming.
    return writeFileAtomic(this.sidecar, JSON.stringify(sidecar), { mode: 0o600, fsync: false });
  }
}
