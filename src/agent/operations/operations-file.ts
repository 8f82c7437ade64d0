/** What a node remembers of its operations while it is not running. */
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { commandMessage, resultMessage } from '../../link/messages.js';
import type { OperationCommand } from './operation-command.js';

/** Sources may carry tokens. */
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
/** Far more than the bounds of the desk can fill: whatever is larger was not written by it. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

const liveRecord = z.object({
  command: commandMessage.refine(({ verb }) => verb !== 'cancel').transform((command) => command as OperationCommand),
  /** It was at its engine already. */
  started: z.boolean(),
  cancel_requested: z.boolean(),
});
export type LiveRecord = z.output<typeof liveRecord>;

const finishedRecord = z.object({ result: resultMessage, finished_at_ms: z.number() });
export type FinishedRecord = z.output<typeof finishedRecord>;

/** Records one by one, so that a later version's kinds of operations do not cost the others. */
const contents = z.object({ version: z.literal(1), live: z.array(z.unknown()), finished: z.array(z.unknown()) });

export interface RememberedOperations {
  /** In the order in which they came. */
  readonly live: readonly LiveRecord[];
  /** The oldest first. */
  readonly finished: readonly FinishedRecord[];
}

const NOTHING: RememberedOperations = { live: [], finished: [] };

export const operationsFile = (nodeDirectory: string): string => path.join(nodeDirectory, 'operations.json');

/** Written beside and renamed, one write at a time, always the newest state. A failed write costs memory of a restart, never an operation. */
export class OperationsFile {
  private wanted: (() => RememberedOperations) | undefined;
  private writing: Promise<void> | undefined;
  private closed = false;

  constructor(
    private readonly file: string,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Nothing for a file that is missing or damaged; the latter is told. */
  async read(): Promise<RememberedOperations> {
    try {
      const { size } = await stat(this.file);
      if (size > MAX_FILE_BYTES) throw new Error(`${this.file} is too large to be what it should be`);
      const { live, finished } = contents.parse(JSON.parse(await readFile(this.file, 'utf8')));
      return { live: valid(liveRecord, live), finished: valid(finishedRecord, finished) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.onFailure(error);
      return NOTHING;
    }
  }

  /** Soon; `remembered` is asked when the write begins. */
  save(remembered: () => RememberedOperations): void {
    if (this.closed) return;
    this.wanted = remembered;
    this.writing ??= this.write();
  }

  /** Resolves when everything is written; nothing is from here on, because the directory may be another process's. */
  async close(): Promise<void> {
    this.closed = true;
    await this.writing;
  }

  private async write(): Promise<void> {
    try {
      await mkdir(path.dirname(this.file), { recursive: true, mode: DIRECTORY_MODE });
      while (this.wanted !== undefined) {
        const remembered = this.wanted();
        this.wanted = undefined;
        const text = JSON.stringify({ version: 1, ...remembered });
        await writeFileAtomic(this.file, `${text}\n`, { mode: FILE_MODE });
      }
    } catch (error) {
      this.wanted = undefined;
      this.onFailure(error);
    } finally {
      this.writing = undefined;
    }
  }
}

const valid = <Schema extends z.ZodType>(schema: Schema, records: readonly unknown[]): z.output<Schema>[] =>
  records.flatMap((record) => {
    const checked = schema.safeParse(record);
    return checked.success ? [checked.data] : [];
  });
