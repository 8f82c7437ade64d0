import type { ReplicaId } from '../../../kernel/ids.js';

interface Message {
  readonly from: ReplicaId;
  readonly bytes: Uint8Array;
}

interface MessageQueueOptions {
  /** Messages that wait while one is handled. */
  readonly limit: number;
  readonly handle: (from: ReplicaId, bytes: Uint8Array) => void | Promise<void>;
  readonly onDropped: () => void;
  readonly onFailed: (error: unknown) => void;
}

/** Messages of one subscription, one at a time and in order. When it is full, the newest are dropped. */
export class MessageQueue {
  private waiting: Message[] = [];
  private busy = false;

  constructor(private readonly options: MessageQueueOptions) {}

  /** Never throws. */
  push(from: ReplicaId, bytes: Uint8Array): void {
    if (!this.busy) {
      const running = this.start(from, bytes);
      if (running !== undefined) void this.drainAfter(running);
    } else if (this.waiting.length < this.options.limit) this.waiting.push({ from, bytes });
    else this.options.onDropped();
  }

  clear(): void {
    this.waiting = [];
  }

  private async drainAfter(running: Promise<void>): Promise<void> {
    this.busy = true;
    await running;
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift())
      await this.start(next.from, next.bytes);
    this.busy = false;
  }

  /** @returns undefined when the handler is done; the promise never rejects */
  private start(from: ReplicaId, bytes: Uint8Array): Promise<void> | undefined {
    try {
      const result = this.options.handle(from, bytes);
      return result?.catch(this.options.onFailed);
    } catch (error) {
      this.options.onFailed(error);
      return undefined;
    }
  }
}
