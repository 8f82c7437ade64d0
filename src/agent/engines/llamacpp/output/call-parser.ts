import { JsonEndScanner } from '../../../../kernel/json-end-scanner.js';
import type { CallSyntax } from './call-syntax.js';
import type { OutputEvent } from './output-event.js';

type Expectation = 'literal' | 'name' | 'arguments' | 'suffix' | 'next';

/**
 * Incremental parser of tool calls that a grammar constrains to their syntax. Text that does not fit is dropped. Arguments are emitted in
 * pieces.
 */
export class CallParser {
  private expecting: Expectation = 'literal';
  private pending = '';
  private scanner = new JsonEndScanner(true);
  private literal: string;
  /** Number of complete calls. */
  completeCalls = 0;

  /** @param head unread text before the first name */
  constructor(
    private readonly syntax: CallSyntax,
    head: string,
  ) {
    this.literal = head;
  }

  push(text: string): readonly OutputEvent[] {
    this.pending += text;
    const events: OutputEvent[] = [];
    while (this.advance(events));
    return events;
  }

  /** One step; false when more text is needed. */
  private advance(events: OutputEvent[]): boolean {
    switch (this.expecting) {
      case 'literal':
        return this.skip(this.literal, 'name');
      case 'name': {
        const end = this.pending.indexOf(this.syntax.nameToArguments);
        if (end < 0) return false;
        events.push({ kind: 'call', name: this.pending.slice(0, end) });
        this.pending = this.pending.slice(end + this.syntax.nameToArguments.length);
        this.scanner = new JsonEndScanner(true);
        this.expecting = 'arguments';
        return true;
      }
      case 'arguments': {
        const end = this.scanner.push(this.pending);
        const text = this.pending.slice(0, end);
        this.pending = end === undefined ? '' : this.pending.slice(end);
        if (text !== '') events.push({ kind: 'arguments', text });
        if (end === undefined) return false;
        this.completeCalls += 1;
        this.expecting = 'suffix';
        return true;
      }
      case 'suffix':
        return this.skip(this.syntax.suffix, 'next');
      case 'next': {
        const { separator } = this.syntax;
        return separator !== undefined && this.skip(separator, 'name');
      }
      default:
        return this.expecting satisfies never;
    }
  }

  private skip(literal: string, next: Expectation): boolean {
    if (!this.pending.startsWith(literal)) return false;
    this.pending = this.pending.slice(literal.length);
    this.expecting = next;
    return true;
  }
}
