/** One JSON file in the directory of the node: what it remembers while it is not running. */
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';

/** Sources and addresses may carry tokens. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

export interface StateFileOptions {
  readonly file: string;
  /** Whatever is larger was not written by this node. */
  readonly maxBytes: number;
  readonly onFailure: (error: unknown) => void;
}

/** Written beside and renamed, one write at a time, always the newest state. A failed write costs the memory of a restart, nothing else. */
export class StateFile {
  private wanted: (() => object) | undefined;
  private writing: Promise<void> | undefined;
  private closed = false;

  constructor(private readonly options: StateFileOptions) {}

  /** @returns undefined for a file that is missing or damaged; the latter is told */
  async read<Contents>(parse: (value: unknown) => Contents): Promise<Contents | undefined> {
    const { file, maxBytes, onFailure } = this.options;
    try {
      const { size } = await stat(file);
      if (size > maxBytes) throw new Error(`${file} is too large to be what it should be`);
      return parse(JSON.parse(await readFile(file, 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onFailure(error);
      return undefined;
    }
  }

  /** Soon; `contents` is asked when the write begins. */
  save(contents: () => object): void {
    if (this.closed) return;
    this.wanted = contents;
    this.writing ??= this.write();
  }

  /** Resolves when everything is written; nothing is from here on, because the directory may be another process's. */
  async close(): Promise<void> {
    this.closed = true;
    await this.writing;
  }

  private async write(): Promise<void> {
    const { file, onFailure } = this.options;
    try {
      await mkdir(path.dirname(file), { recursive: true, mode: DIRECTORY_MODE });
      while (this.wanted !== undefined) {
        const contents = this.wanted();
        this.wanted = undefined;
        await writeFileAtomic(file, `${JSON.stringify(contents)}\n`, { mode: FILE_MODE });
      }
    } catch (error) {
      this.wanted = undefined;
      onFailure(error);
    } finally {
      this.writing = undefined;
    }
  }
}
