/** A JSON file with state that survives a restart of the node. */
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';

/** Sources and addresses may carry tokens. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

interface StateFileOptions {
  readonly file: string;
  /** A larger file was not written by this node and is not read. */
  readonly maxBytes: number;
  readonly onFailure: (error: unknown) => void;
}

/** Writes atomically, one write at a time, always the newest state. After a failed write only a restart loses data. */
export class StateFile {
  private requested: (() => object) | undefined;
  private writing: Promise<void> | undefined;
  private closed = false;

  constructor(private readonly options: StateFileOptions) {}

  /** @returns undefined for a file that is missing or damaged; `onFailure` is called for a damaged one */
  async read<Contents>(parse: (value: unknown) => Contents): Promise<Contents | undefined> {
    const { file, maxBytes, onFailure } = this.options;
    try {
      const { size } = await stat(file);
      if (size > maxBytes) throw new Error(`${file} is larger than any valid state file`);
      return parse(JSON.parse(await readFile(file, 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onFailure(error);
      return undefined;
    }
  }

  /** Schedules a write; `contents` is called when the write begins. */
  save(contents: () => object): void {
    if (this.closed) return;
    this.requested = contents;
    this.writing ??= this.write();
  }

  /** Resolves when pending writes are done. Later saves are ignored: the directory may belong to another process by then. */
  async close(): Promise<void> {
    this.closed = true;
    await this.writing;
  }

  private async write(): Promise<void> {
    const { file, onFailure } = this.options;
    try {
      await mkdir(path.dirname(file), { recursive: true, mode: DIRECTORY_MODE });
      while (this.requested !== undefined) {
        const contents = this.requested();
        this.requested = undefined;
        await writeFileAtomic(file, `${JSON.stringify(contents)}\n`, { mode: FILE_MODE });
      }
    } catch (error) {
      this.requested = undefined;
      onFailure(error);
    } finally {
      this.writing = undefined;
    }
  }
}
