import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

/** Rows per statement, which bounds the time that a table is locked. */
const BATCH_ROWS = 5_000;

export interface RetentionOptions {
  /** Logger context. */
  readonly context: string;
  readonly everyMs: number;
  /** Logged when deleting fails. */
  readonly failureMessage: string;
}

/** Periodically deletes rows beyond their retention. Stops with the application after the current batch. */
export abstract class Retention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger: Logger;
  private timer: NodeJS.Timeout | undefined;
  private pruning: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly options: RetentionOptions) {
    this.logger = new Logger(options.context);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.pruning = this.prune();
    }, this.options.everyMs).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.pruning;
  }

  /** Never rejects. */
  async prune(): Promise<void> {
    try {
      await this.pruneAll();
    } catch (error) {
      this.logger.warn(this.options.failureMessage, { error: String(error) });
    }
  }

  protected abstract pruneAll(): Promise<void>;

  /** @param deleteSome deletes at most this many rows; resolves to their number */
  protected async inBatches(deleteSome: (rows: number) => Promise<number>): Promise<void> {
    while (!this.stopped && (await deleteSome(BATCH_ROWS)) === BATCH_ROWS);
  }
}
