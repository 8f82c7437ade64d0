const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Finds the end of a JSON object or array in text that arrives in pieces. Counts brackets outside of strings and does not validate, so it
 * needs constant memory and reads each character once.
 */
export class JsonEndScanner {
  private depth = 0;
  private inString = false;
  private escaped = false;
  private ended = false;

  /** @param acceptStrings whether a string that is not inside an object or array is a value, too */
  constructor(private readonly acceptStrings = false) {}

  /** The value has ended. Text after it is ignored. */
  get complete(): boolean {
    return this.ended;
  }

  /** @returns length of the part of `piece` up to the end of the value; undefined if the value does not end in it */
  push(chunk: string): number | undefined {
    if (this.ended) return 0;
    for (let at = 0; at < chunk.length; at += 1) {
      if (!this.endsWith(chunk.charCodeAt(at))) continue;
      this.ended = true;
      return at + 1;
    }
    return undefined;
  }

  private endsWith(code: number): boolean {
    if (this.inString) return this.endsInString(code);
    if (code === QUOTE) {
      this.inString = true;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      this.depth += 1;
    } else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && this.depth > 0) {
      this.depth -= 1;
      return this.depth === 0;
    }
    return false;
  }

  private endsInString(code: number): boolean {
    if (this.escaped) {
      this.escaped = false;
    } else if (code === BACKSLASH) {
      this.escaped = true;
    } else if (code === QUOTE) {
      this.inString = false;
      return this.acceptStrings && this.depth === 0;
    }
    return false;
  }
}
