import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';

const LOG_LIMIT_BYTES = 10 * 1_048_576;

/**
 * Appends the output of a process to a file of limited size. A full file is renamed to `<file>.1`, which it replaces.
 * Write errors, such as a full disk, lose lines but do not stop the process.
 */
export class RotatingLog {
  private descriptor: number | undefined;
  private sizeBytes = 0;

  constructor(
    readonly file: string,
    private readonly limitBytes = LOG_LIMIT_BYTES,
  ) {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    this.open();
  }

  write(chunk: Buffer): void {
    try {
      if (this.sizeBytes > 0 && this.sizeBytes + chunk.length > this.limitBytes) this.rotate();
      if (this.descriptor === undefined) this.open();
      if (this.descriptor === undefined) return;
      this.sizeBytes += writeSync(this.descriptor, chunk);
    } catch {
      // The log itself failed, so there is nowhere to report it.
    }
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private rotate(): void {
    this.close();
    renameSync(this.file, `${this.file}.1`);
    this.open();
  }

  private open(): void {
    this.descriptor = openSync(this.file, 'a', 0o600);
    this.sizeBytes = fstatSync(this.descriptor).size;
  }
}

/** Of a log, for the error message when its process fails. */
export function lastLines(file: string, count: number): readonly string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count);
  } catch {
    return [];
  }
}
