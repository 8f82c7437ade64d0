/** pino writes to this; `drain` means that everything handed over is written. */
export interface LineDestination {
  write(text: Buffer): unknown;
  /** Starts to write what was handed over. */
  flush(): void;
  /** Writes it before it returns. */
  flushSync(): void;
  on(event: 'drain' | 'error', listener: () => void): this;
}

/** Longest time that a line waits for others; what a killed process may lose at most. */
const MAX_DELAY_MS = 100;
/** Below `minLength` of the destination, so that it never starts a write by itself which {@link BatchedLines.flushSync} could not await. */
const BATCH_CHARACTERS = 65_536;
/** A batch, its last line, and some characters that take more than one byte. */
const BATCH_BYTES = 98_304;
/** The longest character of UTF-8 has this many bytes. */
const CHARACTER_BYTES = 4;
/** A reader of the log that does not read must not fill the memory of the relay. */
const MAX_WAITING_CHARACTERS = 8 * 1024 * 1024;

/**
 * Lines on their way to the log, in order. A write per line costs several times as much as building the line, so lines that are not urgent
 * are written together.
 */
export class BatchedLines {
  private waiting = '';
  private dropped = 0;
  private writing = false;
  private timer: NodeJS.Timeout | undefined;
  /**
   * Used for one batch after the other: a new buffer for each would be memory outside the heap that only a collection frees. Null after a
   * failed write: the destination keeps what it could not write, and is one batch behind from then on.
   */
  private batch: Buffer | null = Buffer.allocUnsafeSlow(BATCH_BYTES);

  constructor(private readonly destination: LineDestination) {
    const written = (): void => {
      this.writing = false;
      if (this.waiting !== '' && this.timer === undefined) this.flush();
    };
    // Lines are lost when the log cannot be written, such as on a full disk; requests are served nevertheless.
    destination.on('drain', written).on('error', () => {
      this.batch = null;
      written();
    });
  }

  /** Without delay, and all that waits with it. */
  write(line: string): void {
    this.add(line);
    this.flush();
  }

  /** Within {@link MAX_DELAY_MS}, together with others. */
  writeLater(line: string): void {
    this.add(line);
    if (this.waiting.length >= BATCH_CHARACTERS) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), MAX_DELAY_MS).unref();
  }

  /** When it returns, all lines are written. */
  flushSync(): void {
    // The destination may still be writing the last batch.
    this.handOver(Buffer.from(this.waiting));
    this.destination.flushSync();
  }

  private add(line: string): void {
    if (this.waiting.length + line.length > MAX_WAITING_CHARACTERS) this.dropped += 1;
    else this.waiting += line;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    // The end of the write under way starts the next one.
    if (this.writing) return;
    this.writing = true;
    this.handOver(this.encoded());
    this.destination.flush();
  }

  /** Only while the destination holds no batch. */
  private encoded(): Buffer {
    const { waiting, batch } = this;
    if (batch === null || waiting.length > batch.length) return Buffer.from(waiting);
    const bytes = batch.write(waiting);
    // So close to the end of the buffer, a part may be missing.
    return bytes > batch.length - CHARACTER_BYTES ? Buffer.from(waiting) : batch.subarray(0, bytes);
  }

  private handOver(bytes: Buffer): void {
    this.waiting = '';
    if (bytes.length > 0) this.destination.write(bytes);
    if (this.dropped === 0) return;
    const report = {
      level: 'warn',
      time: new Date().toISOString(),
      lines: this.dropped,
      msg: 'log lines were dropped',
    };
    this.destination.write(Buffer.from(`${JSON.stringify(report)}\n`));
    this.dropped = 0;
  }
}
