/**
 * JSON whose numbers keep their digits: `JSON.parse` rounds integers of 19 digits, which are ids of databases and bounds of schemas. A
 * number that JavaScript cannot hold is an {@link ExactNumber}; all others are numbers as usual.
 */
import { randomUUID } from 'node:crypto';

/** Stands for the digits of a number in between; random, so that no data can contain it. */
const MARK = `number:${randomUUID()}:`;
const MARKED = new RegExp(String.raw`"${MARK}(-?[0-9.eE+-]+)"`, 'g');
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const INTEGER = /^-?\d+$/;

/**
 * Members whose values belong to a tool or a schema and are never read as numbers here: there the spelling is kept as well (`1.0`, `1e3`).
 */
const opaqueKeys: ReadonlySet<string> = new Set(['input', 'input_schema', 'parameters', 'schema', 'arguments']);

/** A process that never met such a number need not look for one. */
let anyMade = false;
let marking = false;
let marks = 0;

/** A number as it was written. Plain `JSON.stringify` writes it rounded. */
export class ExactNumber {
  constructor(readonly digits: string) {
    anyMade = true;
  }

  toJSON(): number | string {
    if (!marking) return Number(this.digits);
    marks += 1;
    return MARK + this.digits;
  }

  toString(): string {
    return this.digits;
  }
}

/** Called for every object of an event, so it is cheap as long as there is no such number. */
export const isExactNumber = (value: unknown): value is ExactNumber => anyMade && value instanceof ExactNumber;

/**
 * @param opaque whether the whole text belongs to a tool or a schema, so that the spelling of its numbers is kept
 * @throws SyntaxError where the text is not JSON
 */
export function parseExact(text: string, opaque = false): unknown {
  const plain: unknown = JSON.parse(text);
  const numbers = inexactNumbers(text, opaque);
  if (numbers.length === 0) return plain;
  let written = '';
  let copied = 0;
  for (const { start, end } of numbers) {
    written += `${text.slice(copied, start)}"${MARK}${text.slice(start, end)}"`;
    copied = end;
  }
  return JSON.parse(written + text.slice(copied), (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? new ExactNumber(value.slice(MARK.length)) : value,
  );
}

/** Like {@link parseExact}; undefined where the text is not JSON. */
export function parseExactOrNothing(text: string, opaque = false): unknown {
  try {
    return parseExact(text, opaque);
  } catch {
    return undefined;
  }
}

/** Like `JSON.stringify`, with the digits of every {@link ExactNumber}. */
export function stringifyExact(value: unknown): string {
  const before = marks;
  marking = true;
  try {
    const text = JSON.stringify(value);
    return marks === before ? text : text.replace(MARKED, '$1');
  } finally {
    marking = false;
  }
}

const RENDERED = new RegExp(String.raw`(["']?)${MARK}(-?[0-9.eE+-]+)\1`, 'g');

/**
 * Has other code write numbers that it would round, such as a template: it gets a text in place of each, and the text becomes the digits
 * afterwards, without quotes around.
 * @param value JSON
 */
export function renderExact<Value>(value: Value, render: (value: Value) => string): string {
  if (!anyMade) return render(value);
  const before = marks;
  marking = true;
  let marked: string;
  try {
    marked = JSON.stringify(value);
  } finally {
    marking = false;
  }
  if (marks === before) return render(value);
  return render(JSON.parse(marked) as Value).replace(RENDERED, '$2');
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where numbers stand that would be written differently than they were read. `text` is valid JSON. */
function inexactNumbers(text: string, opaque: boolean): readonly Range[] {
  const found: Range[] = [];
  let depth = 0;
  /** Depth of the outermost value of an opaque key; Infinity outside of one. */
  let opaqueDepth = opaque ? -1 : Infinity;
  let opaqueNext = false;
  for (let at = 0; at < text.length;) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const end = stringEnd(text, at);
      const isKey = COLON_NEXT.test(text.slice(end, end + MAX_SPACE));
      opaqueNext = isKey && opaqueKeys.has(text.slice(at + 1, end - 1));
      at = end;
      continue;
    }
    if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      if (opaqueNext) opaqueDepth = Math.min(opaqueDepth, depth);
      opaqueNext = false;
      depth += 1;
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      depth -= 1;
      if (depth <= opaqueDepth) opaqueDepth = Infinity;
    } else if (character === MINUS || (character >= ZERO && character <= NINE)) {
      NUMBER.lastIndex = at;
      const [token = ''] = NUMBER.exec(text) ?? [];
      if (isInexact(token, opaqueNext || depth > opaqueDepth)) found.push({ start: at, end: at + token.length });
      opaqueNext = false;
      at += Math.max(1, token.length);
      continue;
    }
    at += 1;
  }
  return found;
}

function isInexact(token: string, opaque: boolean): boolean {
  // Nothing shorter is rounded, or written in another form.
  if (!opaque && token.length <= MAX_SAFE_DIGITS) return false;
  const value = Number(token);
  if (String(value) === token) return false;
  return opaque || (INTEGER.test(token) && !Number.isSafeInteger(value));
}

/** Takes the index of the opening quote and returns the index behind the closing one. */
function stringEnd(text: string, from: number): number {
  for (let quote = text.indexOf('"', from + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const MAX_SAFE_DIGITS = 15;
/** More white space before a colon is not looked through: no serialiser writes it. */
const MAX_SPACE = 16;
const COLON_NEXT = /^\s*:/;
