/** Follows a JSON text that arrives in pieces, and knows when its object or array is closed; each character is looked at once. */
export class JsonExtent {
  private depth = 0;
  private inText = false;
  private escaped = false;
  private begun = false;

  /** One object or array was opened and closed. Says nothing of what is inside. */
  get complete(): boolean {
    return this.begun && this.depth === 0;
  }

  push(piece: string): void {
    for (const character of piece) this.read(character);
  }

  private read(character: string): void {
    if (this.escaped) {
      this.escaped = false;
    } else if (this.inText) {
      if (character === '\\') this.escaped = true;
      else if (character === '"') this.inText = false;
    } else if (character === '"') {
      this.inText = true;
    } else if (character === '{' || character === '[') {
      this.depth += 1;
      this.begun = true;
    } else if (character === '}' || character === ']') {
      this.depth = Math.max(0, this.depth - 1);
    }
  }
}
