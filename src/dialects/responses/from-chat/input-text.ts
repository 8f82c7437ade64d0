import { HalfPairs } from '../../../kernel/half-pairs.js';
import { isJsonObject } from '../../../kernel/json-object.js';

/** `{"input":"`, with the spaces that models like. */
const OPENING = /^\s*\{\s*"input"\s*:\s*"/;
/** Longest accepted opening. */
const MAX_OPENING_CHARACTERS = 256;

/** The only text of the pieces. */
const INPUT = 'input';

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const UNICODE_ESCAPE_DIGITS = 4;

/**
 * Extracts the input of a custom tool from the arguments `{"input":"…"}` as they stream, so that the client sees a long patch as it is
 * written. Arguments in another form are passed on unchanged at the end.
 */
export class InputText {
  /** The input so far. */
  text = '';
  private raw = '';
  private state: 'opening' | 'inside' | 'behind' | 'other' = 'opening';
  /** An incomplete escape sequence with its backslash. */
  private escape = '';
  private readonly halves = new HalfPairs();

  /** The part of the input in the next fragment. */
  push(chunk: string): string {
    switch (this.state) {
      case 'opening':
        return this.open(chunk);
      case 'inside':
        return this.append(this.decode(chunk));
      case 'other':
        this.raw += chunk;
        return '';
      case 'behind':
        return '';
      default:
        return this.state satisfies never;
    }
  }

  /** The rest of the input, at the end of the arguments. */
  end(): string {
    if (this.state === 'opening' || this.state === 'other') return this.append(inputOf(this.raw));
    this.state = 'behind';
    return this.append('');
  }

  private open(chunk: string): string {
    this.raw += chunk;
    const opening = OPENING.exec(this.raw)?.[0];
    if (opening !== undefined) {
      const rest = this.raw.slice(opening.length);
      this.raw = '';
      this.state = 'inside';
      return this.append(this.decode(rest));
    }
    if (this.raw.length > MAX_OPENING_CHARACTERS) this.state = 'other';
    return '';
  }

  private decode(chunk: string): string {
    let text = '';
    for (let at = 0; at < chunk.length; at += 1) {
      const character = chunk.charAt(at);
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

  /** The first half of a surrogate pair waits for the second one, which is an escape of its own. */
  private append(chunk: string): string {
    const sent = this.halves.join(INPUT, chunk);
    const text = this.state === 'inside' ? sent : sent + this.halves.flush(INPUT);
    this.text += text;
    return text;
  }
}

/**
 * `{"other":1,"input":"…"}` has an input as well. Models know some tools from training with another name for the text, such as
 * `{"patch":"…"}`: where there is a single text, it is the input. Other text is the input itself, written by a model without JSON.
 */
function inputOf(raw: string): string {
  try {
    const parsed: unknown = JSON.parse(raw);
    if (!isJsonObject(parsed)) return typeof parsed === 'string' ? parsed : raw;
    if (typeof parsed['input'] === 'string') return parsed['input'];
    const [only, ...others] = Object.values(parsed);
    if (typeof only === 'string' && others.length === 0) return only;
  } catch {
    // The input is no JSON but free text.
  }
  return raw;
}
