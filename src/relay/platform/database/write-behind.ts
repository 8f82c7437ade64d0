import { systemClock, type Clock } from '../../../kernel/clock.js';
import { NewestByKey, type Batch, type PendingItems } from './pending-items.js';

export interface WriteBehindOptions<Item> {
  readonly write: (batch: readonly Item[]) => Promise<void>;
  /** Maximum number of items per write. */
  readonly batchItems: number;
  /** Pause after a failed write. */
  readonly retryMs: number;
  /**
   * Position of a batch whose write failed: first keeps the order; last keeps a batch that always fails from blocking the others.
   */
  readonly retryPosition?: 'first' | 'last';
  /** Default: the newest item of each key. */
  readonly pending?: PendingItems<Item>;
  readonly onFailure: (error: unknown) => void;
  readonly clock?: Clock;
}

/**
 * Writes items to the database in batches, asynchronously. While writes fail, items are kept; callers bound their number. A batch may be
 * written twice, so `write` must be idempotent.
 */
export class WriteBehind<Item extends object> {
  private readonly items: PendingItems<Item>;
  private readonly clock: Clock;
  private timer: NodeJS.Timeout | undefined;
  private immediate: NodeJS.Immediate | undefined;
  private dueAtMs = Infinity;
  private retryAtMs = -Infinity;
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(private readonly options: WriteBehindOptions<Item>) {
    this.items = options.pending ?? new NewestByKey();
    this.clock = options.clock ?? systemClock;
  }

  /** Waiting items, and those that are being written. */
  get size(): number {
    return this.items.size;
  }

  get idle(): boolean {
    return this.items.size === 0 && this.running === undefined;
  }

  get writing(): boolean {
    return this.running !== undefined;
  }

  get paused(): boolean {
    return this.clock.monotonicMs() < this.retryAtMs;
  }

  /** @param delayMs latest time of its write, unless writes fail; 0: after this turn of the event loop */
  put(key: string, item: Item, delayMs: number): void {
    this.items.put(key, item);
    this.schedule(delayMs);
  }

  /** Writes the items that wait now, batch by batch, until a write fails. Later items wait for the next write. Never rejects. */
  flush(): Promise<void> {
    this.unschedule();
    if (this.running === undefined) return this.start();
    return (this.next ??= this.running.then(() => {
      this.next = undefined;
      return this.start();
    }));
  }

  /** One last try. @returns the number of items that could not be written */
  async stop(): Promise<number> {
    await this.flush();
    this.unschedule();
    const lost = this.items.size;
    this.items.clear();
    return lost;
  }

  private start(): Promise<void> {
    this.running = this.writeAll().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async writeAll(): Promise<void> {
    for (let due = this.items.size; due > 0; due -= this.options.batchItems) {
      const batch = this.items.first(this.options.batchItems);
      try {
        await this.options.write(batch.items);
      } catch (error) {
        this.retryLater(batch);
        this.options.onFailure(error);
        return;
      }
      batch.written();
    }
  }

  private retryLater(batch: Batch<Item>): void {
    if (this.options.retryPosition === 'last') batch.moveBack();
    this.retryAtMs = this.clock.monotonicMs() + this.options.retryMs;
    this.unschedule();
    this.schedule(0);
  }

  private schedule(delayMs: number): void {
    const nowMs = this.clock.monotonicMs();
    const dueAtMs = Math.max(nowMs + delayMs, this.retryAtMs);
    if (dueAtMs >= this.dueAtMs) return;
    this.unschedule();
    this.dueAtMs = dueAtMs;
    const write = () => void this.flush();
    if (dueAtMs <= nowMs) this.immediate = setImmediate(write);
    else this.timer = setTimeout(write, dueAtMs - nowMs).unref();
  }

  private unschedule(): void {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
    this.dueAtMs = Infinity;
  }
}
