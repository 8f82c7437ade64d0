export interface JsonLimits {
  readonly depthLimit: number;
  /** Structural tokens: brackets, commas and colons. */
  readonly tokenLimit: number;
}

export type JsonProblem = 'too_deep' | 'too_many_tokens';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Longer strings are searched natively for their end: images are one string of megabytes. */
const SHORT_STRING_BYTES = 64;

/**
 * Counts depth and tokens of a JSON text while its bytes arrive, before anything parses it: 16 MiB of `[[[[` would hold the
 * event loop for seconds (reliability, finding 2). It accepts any bytes in pieces of any size; the parser decides whether they are JSON.
 * It need not decode UTF-8, because no byte of a multi-byte character is below 0x80.
 */
export class JsonScanner {
  private inString = false;
  /** The next byte is escaped by the backslash before it. */
  private escaped = false;
  private depth = 0;
  private tokens = 0;
  private colonCount = 0;
  private problem: JsonProblem | undefined;

  constructor(private readonly limits: JsonLimits) {}

  /** Counts the members of all objects of valid JSON, repeated keys included. */
  get colons(): number {
    return this.colonCount;
  }

  /** The first problem found so far. */
  feed(bytes: Buffer): JsonProblem | undefined {
    if (this.problem !== undefined) return this.problem;
    const { depthLimit, tokenLimit } = this.limits;
    let { depth, tokens } = this;
    let index = 0;
    while (index < bytes.byteLength) {
      if (this.inString) {
        index = this.skipString(bytes, index);
        continue;
      }
      const byte = bytes[index];
      index += 1;
      switch (byte) {
        case QUOTE:
          this.inString = true;
          break;
        case OPEN_BRACE:
        case OPEN_BRACKET:
          depth += 1;
          tokens += 1;
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          depth -= 1;
          tokens += 1;
          break;
        case COMMA:
          tokens += 1;
          break;
        case COLON:
          tokens += 1;
          this.colonCount += 1;
          break;
        default:
          break;
      }
      if (depth > depthLimit) return (this.problem = 'too_deep');
      if (tokens > tokenLimit) return (this.problem = 'too_many_tokens');
    }
    this.depth = depth;
    this.tokens = tokens;
    return undefined;
  }

  /** Continues inside a string. @returns the index after the scanned part */
  private skipString(bytes: Buffer, start: number): number {
    let { escaped } = this;
    let index = start;
    const near = Math.min(bytes.byteLength, start + SHORT_STRING_BYTES);
    while (index < near) {
      const byte = bytes[index];
      index += 1;
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) {
        this.inString = false;
        this.escaped = false;
        return index;
      }
    }
    if (!escaped) {
      const quote = bytes.indexOf(QUOTE, index);
      const stop = quote < 0 ? bytes.byteLength : quote;
      // Backslashes escape each other: only an odd number of them escapes the next byte.
      let run = stop;
      while (run > index && bytes[run - 1] === BACKSLASH) run -= 1;
      escaped = (stop - run) % 2 === 1;
      index = stop;
    }
    this.escaped = escaped;
    return index;
  }
}
