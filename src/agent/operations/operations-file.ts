/** Operations and results that survive a restart of the node. */
import path from 'node:path';
import { z } from 'zod';
import { commandMessage, resultMessage } from '../../link/messages.js';
import { StateFile } from '../state-file.js';
import type { OperationCommand } from './operation-command.js';

/** Far above what the limits of the operation manager allow: a larger file was not written by it. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

const liveRecord = z.object({
  command: commandMessage.refine(({ verb }) => verb !== 'cancel').transform((command) => command as OperationCommand),
  /** It was at its engine already. */
  started: z.boolean(),
  cancel_requested: z.boolean(),
});
type LiveRecord = z.output<typeof liveRecord>;

const finishedRecord = z.object({ result: resultMessage, finished_at_ms: z.number() });
export type FinishedRecord = z.output<typeof finishedRecord>;

/** Records are validated one by one, so that an unknown one of a later version does not invalidate the others. */
const contents = z.object({ version: z.literal(1), live: z.array(z.unknown()), finished: z.array(z.unknown()) });

export interface RememberedOperations {
  /** Operations are in their order of arrival. */
  readonly live: readonly LiveRecord[];
  /** The oldest first. */
  readonly finished: readonly FinishedRecord[];
}

const NOTHING: RememberedOperations = { live: [], finished: [] };

export const operationsFile = (nodeDirectory: string): string => path.join(nodeDirectory, 'operations.json');

/** After a failed write only a restart loses operations. */
export class OperationsFile {
  private readonly state: StateFile;

  constructor(file: string, onFailure: (error: unknown) => void) {
    this.state = new StateFile({ file, maxBytes: MAX_FILE_BYTES, onFailure });
  }

  /** Empty when the file is missing or damaged; a damaged file is reported. */
  async read(): Promise<RememberedOperations> {
    const read = await this.state.read((value) => contents.parse(value));
    if (read === undefined) return NOTHING;
    return { live: valid(liveRecord, read.live), finished: valid(finishedRecord, read.finished) };
  }

  /** Schedules a write; `remembered` is called when the write begins. */
  save(remembered: () => RememberedOperations): void {
    this.state.save(() => ({ version: 1, ...remembered() }));
  }

  /** Resolves when pending writes are done. Later saves are ignored. */
  close(): Promise<void> {
    return this.state.close();
  }
}

const valid = <Schema extends z.ZodType>(schema: Schema, records: readonly unknown[]): z.output<Schema>[] =>
  records.flatMap((record) => {
    const checked = schema.safeParse(record);
    return checked.success ? [checked.data] : [];
  });
