import { engineRejected } from '../failures.js';

/** Larger schemas are refused, because every rule costs time at every token. */
const MAX_RULES = 4_000;
const MAX_GRAMMAR_CHARACTERS = 1_000_000;

const tooLarge = () => engineRejected('the JSON schema is too large for this engine');

const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (character: string): string =>
  escapes[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** A GBNF terminal. */
export const literal = (text: string): string => `"${text.replace(/["\\\u0000-\u001F\u007F]/g, escaped)}"`;

export const alternatives = (expressions: readonly string[]): string =>
  expressions.length === 1 ? (expressions[0] ?? '') : `(${expressions.join(' | ')})`;

/** Rules of one GBNF grammar, collected by name. */
export class GrammarRules {
  private readonly rules = new Map<string, string>();
  private counter = 0;
  private characters = 0;

  /** Adds a rule under a new name and returns the name. */
  add(hint: string, expression: string): string {
    const name = this.reserve(hint);
    this.define(name, expression);
    return name;
  }

  /** Reserves a name, for a recursive rule that is defined later. */
  reserve(hint: string): string {
    this.counter += 1;
    if (this.counter > MAX_RULES) throw tooLarge();
    return `${hint}-${this.counter}`;
  }

  /** Defines a rule; a second definition under the same name is ignored. */
  define(name: string, expression: string): string {
    if (this.rules.has(name)) return name;
    this.characters += expression.length;
    if (this.characters > MAX_GRAMMAR_CHARACTERS) throw tooLarge();
    this.rules.set(name, expression);
    return name;
  }

  toString(): string {
    return [...this.rules].map(([name, expression]) => `${name} ::= ${expression}`).join('\n');
  }
}
