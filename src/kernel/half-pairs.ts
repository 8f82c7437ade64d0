import { isFirstHalf } from './well-formed-text.js';

const REPLACEMENT = '\uFFFD';

/**
 * Texts that arrive in pieces: a piece that ends in the first half of a surrogate pair gives it to the next piece. A half that stays alone
 * becomes U+FFFD.
 */
export class HalfPairs {
  private readonly halves = new Map<string, string>();

  /** Whether a half is waiting, so that the next piece must not be passed on as it is. */
  get waiting(): boolean {
    return this.halves.size > 0;
  }

  /** The names of texts whose half is waiting. */
  get names(): readonly string[] {
    return [...this.halves.keys()];
  }

  /** The part of the text called `name` that can be sent. */
  join(name: string, chunk: string): string {
    if (chunk === '') return chunk;
    const text = (this.halves.get(name) ?? '') + chunk;
    this.halves.delete(name);
    if (!isFirstHalf(text.charCodeAt(text.length - 1))) return text.toWellFormed();
    this.halves.set(name, text.slice(-1));
    return text.slice(0, -1).toWellFormed();
  }

  /** Returns the replacement for a half that nothing follows; empty where none is waiting. */
  flush(name: string): string {
    return this.halves.delete(name) ? REPLACEMENT : '';
  }
}
