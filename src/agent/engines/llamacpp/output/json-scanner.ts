/** Finds the end of one JSON value in a stream of text, without parsing it. Grammars make the text valid; this only counts. */
export class JsonScanner {
  private depth = 0;
  private inString = false;
  private escaped = false;
  private started = false;

  /** Length of the part of `text` that belongs to the value, or undefined while the value goes on. */
  push(text: string): number | undefined {
    for (let index = 0; index < text.length; index += 1) {
      if (this.step(text.charAt(index))) return index + 1;
    }
    return undefined;
  }

  /** True at the last character of an object, array or string. */
  private step(character: string): boolean {
    if (this.inString) {
      if (this.escaped) this.escaped = false;
      else if (character === '\\') this.escaped = true;
      else if (character === '"') this.inString = false;
      return !this.inString && this.depth === 0;
    }
    switch (character) {
      case '"':
        this.inString = true;
        this.started = true;
        return false;
      case '{':
      case '[':
        this.depth += 1;
        this.started = true;
        return false;
      case '}':
      case ']':
        this.depth -= 1;
        return this.started && this.depth === 0;
      default:
        return false;
    }
  }
}
