import { open, stat, type FileHandle } from 'node:fs/promises';
import { parseLogLine, type LogRecord } from '../../../kernel/log/log-record.js';
import type { LogLine, LogPart, LogSource } from './log-line.js';

const BLOCK_BYTES = 65_536;
/** Bounds one line; the rest of it is dropped. */
const MOST_LINE_BYTES = 262_144;
const NEWLINE = 0x0a;

/** The lines of a file before this position, the last one first. Holds one block and one line in memory. */
async function* linesBackwards(file: FileHandle, endBytes: number): AsyncGenerator<string> {
  // End of the line whose beginning is further ahead in the file.
  let tail: Buffer = Buffer.alloc(0);
  for (let position = endBytes; position > 0;) {
    const length = Math.min(BLOCK_BYTES, position);
    position -= length;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    const text = Buffer.concat([buffer.subarray(0, bytesRead), tail]);
    let end = text.length;
    for (let newline = text.lastIndexOf(NEWLINE); newline !== -1; newline = lastNewlineBefore(text, newline)) {
      if (newline + 1 < end) yield text.toString('utf8', newline + 1, Math.min(end, newline + 1 + MOST_LINE_BYTES));
      end = newline;
    }
    tail = text.subarray(0, Math.min(end, MOST_LINE_BYTES));
  }
  if (tail.length > 0) yield tail.toString('utf8');
}

// A negative offset would count from the end.
const lastNewlineBefore = (text: Buffer, position: number): number =>
  position === 0 ? -1 : text.lastIndexOf(NEWLINE, position - 1);

/** Read in one call of `added`; the next one goes on. */
const MOST_ADDED_BYTES = 1_048_576;
/** Lines without a time that are read beyond those that are wanted, to find the line before them, whose time they have. */
const MOST_TIMELESS = 200;

/** A log file that is renamed to `<file>.1` when it is full, or is cut off, while it is read. */
export class FileLog implements LogSource {
  private handle: FileHandle | undefined;
  private positionBytes = 0;
  /** Bytes of a line that is not complete yet. */
  private begun: Buffer = Buffer.alloc(0);
  /** Time of the last line that has one. */
  private latestMs: number | null = null;

  constructor(
    private readonly part: LogPart,
    private readonly file: string,
  ) {}

  async last(count: number, isRequested: (record: LogRecord) => boolean): Promise<readonly LogLine[]> {
    // The newest first.
    const found: LogRecord[] = [];
    let timeless: LogRecord[] = [];
    for await (const text of this.backwards()) {
      const record = parseLogLine(text);
      const { timeMs } = record;
      if (timeMs === null) {
        if (isRequested(record)) timeless.push(record);
        if (found.length + timeless.length >= count + MOST_TIMELESS) break;
        continue;
      }
      this.latestMs ??= timeMs;
      for (const after of timeless) found.push({ ...after, timeMs });
      timeless = [];
      if (found.length < count && isRequested(record)) found.push(record);
      if (found.length >= count) break;
    }
    return [...found, ...timeless]
      .slice(0, count)
      .reverse()
      .map((record) => ({ part: this.part, record }));
  }

  async added(): Promise<readonly LogLine[]> {
    this.handle ??= await openForReading(this.file);
    if (this.handle === undefined) return [];
    const replaced = await this.isReplaced(this.handle);
    const lines = await this.readOn(this.handle, MOST_ADDED_BYTES);
    // The replaced file is read to its end first, so that no line is lost.
    if (replaced && lines.length === 0) {
      const rest = this.begun;
      await this.close();
      return rest.length === 0 ? [] : [this.read(rest)];
    }
    return lines;
  }

  async close(): Promise<void> {
    const { handle } = this;
    this.handle = undefined;
    this.positionBytes = 0;
    this.begun = Buffer.alloc(0);
    await handle?.close();
  }

  /** Yields the lines of the file and the one before it, the last line first. `added` goes on behind them. */
  private async *backwards(): AsyncGenerator<string> {
    this.handle ??= await openForReading(this.file);
    if (this.handle !== undefined) {
      this.positionBytes = (await this.handle.stat()).size;
      let isComplete = await endsWithNewline(this.handle, this.positionBytes);
      for await (const line of linesBackwards(this.handle, this.positionBytes)) {
        if (isComplete) yield line;
        else this.begun = Buffer.from(line);
        isComplete = true;
      }
    }
    const earlier = await openForReading(`${this.file}.1`);
    if (earlier === undefined) return;
    try {
      yield* linesBackwards(earlier, (await earlier.stat()).size);
    } finally {
      await earlier.close();
    }
  }

  private async isReplaced(handle: FileHandle): Promise<boolean> {
    const [own, current] = await Promise.all([handle.stat(), stat(this.file).catch(() => undefined)]);
    if (own.size < this.positionBytes) {
      this.positionBytes = 0;
      this.begun = Buffer.alloc(0);
    }
    return current !== undefined && (current.ino !== own.ino || current.dev !== own.dev);
  }

  private async readOn(handle: FileHandle, mostBytes: number): Promise<readonly LogLine[]> {
    const lines: LogLine[] = [];
    for (let read = 0; read < mostBytes;) {
      const block = Buffer.alloc(BLOCK_BYTES);
      const { bytesRead } = await handle.read(block, 0, BLOCK_BYTES, this.positionBytes);
      if (bytesRead === 0) break;
      read += bytesRead;
      this.positionBytes += bytesRead;
      lines.push(...this.take(block.subarray(0, bytesRead)));
    }
    return lines;
  }

  private take(block: Buffer): readonly LogLine[] {
    const lines: LogLine[] = [];
    let from = 0;
    for (let newline = block.indexOf(NEWLINE); newline !== -1; newline = block.indexOf(NEWLINE, from)) {
      this.begin(block.subarray(from, newline));
      if (this.begun.length > 0) lines.push(this.read(this.begun));
      this.begun = Buffer.alloc(0);
      from = newline + 1;
    }
    this.begin(block.subarray(from));
    return lines;
  }

  private read(line: Buffer): LogLine {
    const record = parseLogLine(line.toString('utf8'));
    this.latestMs = record.timeMs ?? this.latestMs;
    return { part: this.part, record: { ...record, timeMs: this.latestMs } };
  }

  private begin(part: Buffer): void {
    this.begun = Buffer.concat([this.begun, part.subarray(0, Math.max(0, MOST_LINE_BYTES - this.begun.length))]);
  }
}

async function endsWithNewline(file: FileHandle, sizeBytes: number): Promise<boolean> {
  if (sizeBytes === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, sizeBytes - 1);
  return buffer[0] === NEWLINE;
}

/** Undefined when there is no such file. */
async function openForReading(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
