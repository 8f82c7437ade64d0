import { JsonEndScanner } from '../../../kernel/json-end-scanner.js';

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
  push(piece: string): readonly string[] {
    const complete: string[] = [];
    let rest = piece;
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
