import { JsonEndScanner } from '../../../kernel/json-end-scanner.js';
import { parseJson } from '../../../kernel/json-object.js';

/** `before` its opening brace, `inside`, `complete` (closed), or `broken` (not an object). */
type State = 'before' | 'inside' | 'complete' | 'broken';

const WHITESPACE = /^[ \t\r\n]*/;

/**
 * Incremental scanner of a call's arguments, a JSON object in fragments, in constant memory. Detects the end of the object long before the
 * engine ends the call.
 */
export class CallArguments {
  private state: State = 'before';
  private readonly scanner = new JsonEndScanner();

  /** The object is closed. */
  get over(): boolean {
    return this.state === 'complete' || this.state === 'broken';
  }

  /** The part of the fragment that belongs to the object: without surrounding text, and empty when it is not an object. */
  take(fragment: string): string {
    if (this.state === 'before') return this.begin(fragment.replace(WHITESPACE, ''));
    if (this.state === 'inside') return fragment.slice(0, this.endIn(fragment));
    return '';
  }

  private begin(fragment: string): string {
    if (fragment === '') return '';
    if (!fragment.startsWith('{')) {
      this.state = 'broken';
      return '';
    }
    this.state = 'inside';
    const text = fragment.slice(0, this.endIn(fragment));
    if (!this.over || parseJson(text) !== undefined) return text;
    // Complete in one fragment but malformed. It was not passed on yet, and no client could parse it
    // (docs/reference/translation.md#chat-answer-to-a-message).
    this.state = 'broken';
    return '';
  }

  /** Length of the part of the fragment that belongs to the object. */
  private endIn(fragment: string): number {
    const end = this.scanner.push(fragment);
    if (end !== undefined) this.state = 'complete';
    return end ?? fragment.length;
  }
}
