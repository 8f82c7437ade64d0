import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

/** One statement never holds a table for longer than this many rows take. */
const BATCH_ROWS = 5_000;

export interface RetentionOptions {
  /** Logger context. */
  readonly context: string;
  readonly everyMs: number;
  /** Logged when deleting fails. */
  readonly failureMessage: string;
}

/** Deletes what is older than it is to be kept, every so often and beside the requests. Ends with the application, within a batch. */
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

  /** @param deleteSome deletes at most this many rows, and says how many it were */
  protected async inBatches(deleteSome: (rows: number) => Promise<number>): Promise<void> {
    while (!this.stopped && (await deleteSome(BATCH_ROWS)) === BATCH_ROWS);
  }
}
