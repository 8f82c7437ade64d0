import type { AccountId, OperationId } from '../../kernel/ids.js';
import { isLive, type Operation } from './operation.js';

export type SaveOperation = (accountId: AccountId, operation: Operation) => Promise<void>;

interface Waiting {
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
 * Brings what nodes report into the database, beside the link path: outcomes at once, progress seldom. While the database is away
 * the newest version of each operation waits here; a crash in that time loses nothing, because nodes repeat what they reported.
 */
export class OperationsWriter {
  readonly #waiting = new Map<OperationId, Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #dueAtMs = Infinity;
  #running: Promise<void> | undefined;

  constructor(private readonly options: OperationsWriterOptions) {}

  mark(accountId: AccountId, operation: Operation): void {
    this.#waiting.set(operation.id, { accountId, operation });
    this.#schedule(isLive(operation) && !operation.cancelRequested ? PROGRESS_EVERY_MS : 0);
  }

  /** Writes what waits, once. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#dueAtMs = Infinity;
    while (this.#running !== undefined) await this.#running;
    this.#running = this.#writeAll();
    await this.#running;
    this.#running = undefined;
  }

  #schedule(delayMs: number): void {
    const dueAtMs = performance.now() + delayMs;
    if (dueAtMs >= this.#dueAtMs) return;
    clearTimeout(this.#timer);
    this.#dueAtMs = dueAtMs;
    this.#timer = setTimeout(() => void this.flush(), delayMs).unref();
  }

  /** Behind all others, so that one that cannot be written holds nobody up. */
  #last(id: OperationId, entry: Waiting): void {
    if (this.#waiting.get(id) !== entry) return;
    this.#waiting.delete(id);
    this.#waiting.set(id, entry);
  }

  async #writeAll(): Promise<void> {
    for (const [id, entry] of [...this.#waiting]) {
      try {
        await this.options.save(entry.accountId, entry.operation);
      } catch (error) {
        this.options.onFailure(error);
        this.#last(id, entry);
        this.#schedule(RETRY_MS);
        return;
      }
      if (this.#waiting.get(id) === entry) this.#waiting.delete(id);
      this.options.onSaved(entry.operation);
    }
  }
}
