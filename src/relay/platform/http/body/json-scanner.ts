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

/** A string that goes on for longer than this is worth a native search for its end: images are one string of megabytes. */
const SHORT_STRING_BYTES = 64;

/**
 * Counts depth and tokens of a JSON text while its bytes arrive, before anything parses it: 16 MiB of `[[[[` would hold the
 * event loop for seconds (reliability, finding 2). It may be given any bytes in any portions; whether they are JSON is for the
 * parser to say. Works on UTF-8 as it is, since no byte of a longer character is below 0x80.
 */
export class JsonScanner {
  private inString = false;
  /** The next byte of the string belongs to the backslash before it. */
  private escaped = false;
  private depth = 0;
  private tokens = 0;
  private problem: JsonProblem | undefined;

  constructor(private readonly limits: JsonLimits) {}

  /** The first problem, as soon as it is there, and from then on. */
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
        case COLON:
          tokens += 1;
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

  /** Goes on inside a string; returns the index behind what it has looked at. */
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
      // Backslashes escape each other: only an odd run before the stop escapes what comes there.
      let run = stop;
      while (run > index && bytes[run - 1] === BACKSLASH) run -= 1;
      escaped = (stop - run) % 2 === 1;
      index = stop;
    }
    this.escaped = escaped;
    return index;
  }
}
