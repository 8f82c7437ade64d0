import { parseExactOrNothing } from '../../../kernel/exact-json.js';
import { JsonEndScanner } from '../../../kernel/json-end-scanner.js';

/**
 * What a plain parser would not keep: escapes of surrogates, of which a half may be in the next event; numbers of many digits; and arguments
 * that are no text, whose numbers are written anew. One pass over the text, because every parsed event pays for it. In a text it may be
 * found as well, which costs time only.
 */
const UNUSUAL = /\\u[dD]|[:,[\s]-?\d{16}|"(?:arguments|parameters)"\s*:\s*[{[]/;

/** Whether an engine's JSON needs {@link parseEngineJson}, and may contain half surrogate pairs. */
export const isUnusual = (text: string): boolean => UNUSUAL.test(text);

/** Undefined where the text is not JSON. Numbers keep their digits. */
export const parseEngineJson = (text: string): unknown => parseExactOrNothing(text);

/**
 * Splits JSON objects that come without an event stream around them, one or several, however the text is cut. Text between them is left
 * out.
 */
export class BareObjects {
  private text = '';
  private scanner = new JsonEndScanner();

  /** Characters of the object that is not complete. */
  get waitingCharacters(): number {
    return this.text.length;
  }

  /** The objects that the text completes. */
  push(chunk: string): readonly string[] {
    const complete: string[] = [];
    let rest = chunk;
    while (rest !== '') {
      if (this.text === '') rest = rest.replace(/^[^{]+/, '');
      const end = this.scanner.push(rest);
      this.text += end === undefined ? rest : rest.slice(0, end);
      if (end === undefined) break;
      complete.push(this.text);
      this.text = '';
      this.scanner = new JsonEndScanner();
      rest = rest.slice(end);
    }
    return complete;
  }
}
