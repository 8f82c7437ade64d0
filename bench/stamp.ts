/** The timestamp in each event, `@` + microseconds + `@`: written by the engine and found by the generator inside any framing. */
import { monotonicMicros } from './monotonic.js';

const DIGITS = 16;
const AT = 0x40;
const ZERO = 0x30;
export const STAMP_BYTES = DIGITS + 2;

export const stampNow = (): string => `@${String(monotonicMicros()).padStart(DIGITS, '0')}@`;

/** Finds timestamps in a body that arrives in arbitrary parts. */
export class StampReader {
  private carry: Buffer | undefined;

  constructor(private readonly onStamp: (micros: number) => void) {}

  push(part: Buffer): void {
    const bytes = this.carry === undefined ? part : Buffer.concat([this.carry, part]);
    this.carry = undefined;
    for (let at = bytes.indexOf(AT); at !== -1; at = bytes.indexOf(AT, at)) {
      if (at + STAMP_BYTES > bytes.length) {
        this.carry = Buffer.from(bytes.subarray(at));
        return;
      }
      if (bytes[at + STAMP_BYTES - 1] === AT) {
        this.onStamp(micros(bytes, at + 1));
        at += STAMP_BYTES;
      } else {
        at += 1;
      }
    }
  }
}

function micros(bytes: Buffer, from: number): number {
  let value = 0;
  for (let at = from; at < from + DIGITS; at += 1) value = value * 10 + (bytes[at] ?? ZERO) - ZERO;
  return value;
}
