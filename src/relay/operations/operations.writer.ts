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
  /** Called with the stored version of an operation. */
  readonly onSaved: (operation: Operation) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Interval of writes for a running operation. */
const PROGRESS_EVERY_MS = 2_000;
const RETRY_MS = 2_000;

/**
 * Writes the nodes' reports asynchronously: outcomes at once, progress at intervals. During a database outage the newest version of each
 * operation waits here; a crash then loses nothing, because nodes repeat their reports.
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
