/** An incomplete download: `<name>.gguf.part`, and `<name>.gguf.part.json` with the metadata for a resume. */
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

/** The file that the bytes are from. */
export interface PartOrigin {
  readonly source: string;
  readonly etag: string | null;
  readonly sha256: string | null;
  readonly totalBytes: number | null;
}

interface Resumable extends PartOrigin {
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

  /** The part of this source; undefined when there is none to resume. */
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

  /** An empty part, with its metadata written before the first byte. The caller closes the file. */
  async begin(origin: PartOrigin): Promise<FileHandle> {
    await this.discard();
    await this.describe(origin);
    return open(this.path, 'w', 0o600);
  }

  /** Opens the part for appending. The caller closes the file. */
  async goOn(origin: PartOrigin): Promise<FileHandle> {
    await this.describe(origin);
    return open(this.path, 'a', 0o600);
  }

  async discard(): Promise<void> {
    await Promise.all([rm(this.path, { force: true }), rm(this.sidecar, { force: true })]);
  }

  /** Renames the part to the model's file name, atomically. */
  async complete(): Promise<void> {
    await rename(this.path, this.target);
    await rm(this.sidecar, { force: true });
  }

  private describe({ source, etag, sha256, totalBytes }: PartOrigin): Promise<void> {
    const sidecar = { source, etag, sha256, total_bytes: totalBytes } satisfies z.input<typeof sidecarSchema>;
    // An fsync is left out: a lost file only prevents a resume.
    return writeFileAtomic(this.sidecar, JSON.stringify(sidecar), { mode: 0o600, fsync: false });
  }
}
