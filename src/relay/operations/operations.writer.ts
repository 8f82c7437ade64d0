import type { AccountId } from '../../kernel/ids.js';
import { WriteBehind } from '../platform/database/write-behind.js';
import { isLive, type Operation } from './operation.js';

export type SaveOperation = (accountId: AccountId, operation: Operation) => Promise<void>;

interface ChangedOperation {
  readonly accountId: AccountId;
  readonly operation: Operation;
}

export interface OperationsWriterOptions {
  readonly save: SaveOperation;
  /** This version of the operation is in the database. */
  readonly onSaved: (operation: Operation) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Progress is worth little once it is old, so a running operation costs one write in this time, however often it reports. */
const PROGRESS_EVERY_MS = 2_000;
const RETRY_MS = 2_000;

/**
 * Writes what nodes report, beside the link path: outcomes at once, progress seldom. While the database is away the newest version of
 * each operation waits here; a crash in that time loses nothing, because nodes repeat what they reported.
 */
export class OperationsWriter {
  private readonly writes: WriteBehind<ChangedOperation>;

  constructor({ save, onSaved, onFailure }: OperationsWriterOptions) {
    this.writes = new WriteBehind({
      write: async ([changed]) => {
        if (changed === undefined) return;
        await save(changed.accountId, changed.operation);
        onSaved(changed.operation);
      },
      batchItems: 1,
      retryMs: RETRY_MS,
      retryPosition: 'last',
      onFailure,
    });
  }

  mark(accountId: AccountId, operation: Operation): void {
    const delayMs = isLive(operation) && !operation.cancelRequested ? PROGRESS_EVERY_MS : 0;
    this.writes.put(operation.id, { accountId, operation }, delayMs);
  }

  /** Never rejects. */
  flush(): Promise<void> {
    return this.writes.flush();
  }
}
