import { isJsonObject } from '../../../kernel/json-object.js';

/** `{"input":"`, with the spaces that models like. */
const OPENING = /^\s*\{\s*"input"\s*:\s*"/;
/** No opening is longer: what has none by then is something else. */
const MAX_OPENING_CHARACTERS = 256;

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const UNICODE_ESCAPE_DIGITS = 4;

/**
 * Takes the input of a custom tool out of the arguments `{"input":"…"}` while they are written: waiting for the end would keep a
 * long patch, and every sign of life, from the client. What turns out to be something else is told as it stands, at the end.
 */
export class InputText {
  /** All that was told so far. */
  text = '';
  private raw = '';
  private state: 'opening' | 'inside' | 'behind' | 'other' = 'opening';
  /** An escape that is not complete, with its backslash. */
  private escape = '';

  /** What the next piece of the arguments adds to the input. */
  push(piece: string): string {
    switch (this.state) {
      case 'opening':
        return this.open(piece);
      case 'inside':
        return this.told(this.decode(piece));
      case 'other':
        this.raw += piece;
        return '';
      case 'behind':
        return '';
      default:
        return this.state satisfies never;
    }
  }

  /** What is still to be told when no more comes. */
  end(): string {
    if (this.state === 'inside' || this.state === 'behind') return '';
    return this.told(inputOf(this.raw));
  }

  private open(piece: string): string {
    this.raw += piece;
    const opening = OPENING.exec(this.raw)?.[0];
    if (opening !== undefined) {
      const rest = this.raw.slice(opening.length);
      this.raw = '';
      this.state = 'inside';
      return this.told(this.decode(rest));
    }
    if (this.raw.length > MAX_OPENING_CHARACTERS) this.state = 'other';
    return '';
  }

  private decode(piece: string): string {
    let text = '';
    for (let at = 0; at < piece.length; at += 1) {
      const character = piece.charAt(at);
      if (this.escape !== '') text += this.unescape(character);
      else if (character === '\\') this.escape = character;
      else if (character === '"') {
        this.state = 'behind';
        return text;
      } else text += character;
    }
    return text;
  }

  private unescape(character: string): string {
    this.escape += character;
    const kind = this.escape.charAt(1);
    if (kind === 'u' && this.escape.length < 2 + UNICODE_ESCAPE_DIGITS) return '';
    const { escape } = this;
    this.escape = '';
    if (kind !== 'u') return escapes[kind] ?? kind;
    const unit = Number.parseInt(escape.slice(2), 16);
    return Number.isNaN(unit) ? escape : String.fromCharCode(unit);
  }

  private told(text: string): string {
    this.text += text;
    return text;
  }
}

/** `{"other":1,"input":"…"}` has its input as well; anything else is taken for the input itself: a model that knows no JSON wrote it. */
function inputOf(raw: string): string {
  try {
    const parsed: unknown = JSON.parse(raw);
    if (isJsonObject(parsed) && typeof parsed['input'] === 'string') return parsed['input'];
  } catch {
    // Not JSON: free text after all.
  }
  return raw;
}
