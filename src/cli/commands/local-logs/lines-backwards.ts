import type { FileHandle } from 'node:fs/promises';

const BLOCK_BYTES = 65_536;
/** Of one line; the rest of it is dropped. */
export const MOST_LINE_BYTES = 262_144;
export const NEWLINE = 0x0a;

/** The lines of a file before this position, the last one first. Holds one block and one line in memory. */
export async function* linesBackwards(file: FileHandle, endBytes: number): AsyncGenerator<string> {
  // Of the line whose beginning is further ahead in the file.
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
