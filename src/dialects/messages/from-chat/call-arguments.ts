/** `before` its opening brace · `inside` · `complete`: closed · `broken`: what came is no object. */
type State = 'before' | 'inside' | 'complete' | 'broken';

const WHITESPACE = /^[ \t\r\n]*/;

/**
 * The arguments of one call, a JSON object in any fragments, in constant memory. To know that the object is closed is to know that the
 * call is complete, long before the engine says so.
 */
export class CallArguments {
  private state: State = 'before';
  private depth = 0;
  private inString = false;
  private escaped = false;

  /** Nothing that could still come would belong to the object. */
  get over(): boolean {
    return this.state === 'complete' || this.state === 'broken';
  }

  /** The part of the fragment that belongs to the object: without what is around it, and nothing of what is no object at all. */
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
    if (!this.over || isJson(text)) return text;
    // All of it at once, and malformed: nothing of it was passed on yet, and no client could read it
    // (docs/reference/translation.md#chat-answer-to-a-message).
    this.state = 'broken';
    return '';
  }

  /** Where the object ends in this fragment; its length when it does not. */
  private endIn(fragment: string): number {
    for (let at = 0; at < fragment.length; at += 1) {
      const code = fragment.charCodeAt(at);
      if (this.inString) this.stepInString(code);
      else if (code === QUOTE) this.inString = true;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.depth += 1;
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        this.depth -= 1;
        if (this.depth === 0) {
          this.state = 'complete';
          return at + 1;
        }
      }
    }
    return fragment.length;
  }

  private stepInString(code: number): void {
    if (this.escaped) this.escaped = false;
    else if (code === BACKSLASH) this.escaped = true;
    else if (code === QUOTE) this.inString = false;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
