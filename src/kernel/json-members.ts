/**
 * Finds members of a JSON object in its bytes, so that single values can be replaced while every other byte stays as it is: a client's
 * 64-bit seed, its key order and its number spelling would not survive `JSON.parse` and `JSON.stringify` (reliability finding 2).
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const WALKED_BYTES = 64;

export interface JsonMember {
  readonly key: string;
  /** Position among all members of the object. */
  readonly position: number;
  /** Offset of the key's opening quote. */
  readonly keyStart: number;
  /** Offsets of the value: first byte, and one behind the last, without the white space around it. */
  readonly start: number;
  readonly end: number;
}

export interface JsonObjectBounds {
  /** Offset behind the opening brace: where a new first member goes. */
  readonly inside: number;
  readonly empty: boolean;
  /** The wanted members in order, every one of a repeated key. */
  readonly members: readonly JsonMember[];
  /** Counts all members, repeated ones included. */
  readonly count: number;
}

/** The bytes are not the JSON object they were said to be. */
export class NotJsonObjectError extends Error {
  override readonly name = 'NotJsonObjectError';
}

/**
 * Looks for `wanted` keys in the object that starts at `from` (white space before it is skipped). Values are stepped over, not validated,
 * and not recursed into, so depth costs nothing. Keys are compared unescaped: `"mod\u0065l"` is `model` for the engine too.
 * @throws NotJsonObjectError where no object begins, or it never ends
 */
export function findMembers(json: Buffer, wanted: Pick<ReadonlySet<string>, 'has'>, from = 0): JsonObjectBounds {
  let at = skipSpace(json, from);
  expect(json, at, OPEN_BRACE);
  const inside = at + 1;
  const members: JsonMember[] = [];
  at = skipSpace(json, inside);
  if (json[at] === CLOSE_BRACE) return { inside, empty: true, members, count: 0 };
  for (let count = 1; ; count += 1) {
    const keyStart = at;
    const keyEnd = skipString(json, at);
    const key = readKey(json, at, keyEnd);
    at = skipSpace(json, keyEnd);
    expect(json, at, COLON);
    const start = skipSpace(json, at + 1);
    const end = skipValue(json, start);
    if (wanted.has(key)) members.push({ key, position: count - 1, keyStart, start, end });
    at = skipSpace(json, end);
    if (json[at] === CLOSE_BRACE) return { inside, empty: false, members, count };
    expect(json, at, COMMA);
    at = skipSpace(json, at + 1);
  }
}

/** Offsets of the first byte of a value and of the one behind its last. */
export interface JsonRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The elements of the array that starts at `from`; none where something else does.
 * @throws NotJsonObjectError where it never ends
 */
export function findElements(json: Buffer, from: number): readonly JsonRange[] {
  const elements: JsonRange[] = [];
  if (json[from] !== OPEN_BRACKET) return elements;
  let at = skipSpace(json, from + 1);
  if (json[at] === CLOSE_BRACKET) return elements;
  for (;;) {
    const end = skipValue(json, at);
    elements.push({ start: at, end });
    at = skipSpace(json, end);
    if (json[at] === CLOSE_BRACKET) return elements;
    expect(json, at, COMMA);
    at = skipSpace(json, at + 1);
  }
}

/** Removes members with their keys and commas. @param gone some of the members of these bounds, in their order */
export function removalsOf(json: Buffer, { count, inside }: JsonObjectBounds, gone: readonly JsonMember[]): Splice[] {
  // Members at the end of the object take the comma before them, all others the one behind them.
  let kept = gone.length;
  while (kept > 0 && gone[kept - 1]?.position === count - 1 - (gone.length - kept)) kept -= 1;
  const splices = gone.slice(0, kept).map(({ keyStart, end }) => ({
    start: keyStart,
    end: skipSpace(json, skipSpace(json, end) + 1),
    text: '',
  }));
  const [firstOfTail, last] = [gone[kept], gone.at(-1)];
  if (firstOfTail !== undefined && last !== undefined) {
    const start = firstOfTail.position === 0 ? inside : json.lastIndexOf(COMMA, firstOfTail.keyStart);
    splices.push({ start, end: last.end, text: '' });
  }
  return splices;
}

export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `json` with the given ranges replaced, as views into it and what is new between them: nothing large is copied. Ranges must not overlap. */
export function applySplices(json: Buffer, splices: readonly Splice[]): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let copied = 0;
  for (const { start, end, text } of [...splices].sort((a, b) => a.start - b.start || a.end - b.end)) {
    chunks.push(json.subarray(copied, start), Buffer.from(text));
    copied = end;
  }
  chunks.push(json.subarray(copied));
  return chunks;
}

function expect(json: Buffer, at: number, byte: number): void {
  if (json[at] !== byte) throw new NotJsonObjectError(`the body is not a JSON object (offset ${at})`);
}

function skipSpace(json: Buffer, from: number): number {
  let at = from;
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at += 1;
  return at;
}

/**
 * From an opening quote to behind the closing one. Short strings are walked, because a call into the runtime costs more; long ones
 * (images) are searched.
 */
export function skipString(json: Buffer, from: number): number {
  expect(json, from, QUOTE);
  let at = from + 1;
  for (const walkEnd = at + WALKED_BYTES; at < walkEnd; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at += 1;
  }
  for (;;) {
    const quote = json.indexOf(QUOTE, at);
    if (quote === -1) throw new NotJsonObjectError(`the body has an unterminated string (offset ${from})`);
    let backslashes = 0;
    while (json[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** A string without its quotes, unescaped. @throws NotJsonObjectError for a malformed escape */
export function readKey(json: Buffer, start: number, end: number): string {
  const raw = json.toString('utf8', start + 1, end - 1);
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch (cause) {
    throw new NotJsonObjectError(`the body has a malformed key (offset ${start})`, { cause });
  }
}

/** Takes the index of a value's first byte and returns the index behind its last. */
function skipValue(json: Buffer, from: number): number {
  const first = json[from];
  if (first === QUOTE) return skipString(json, from);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipNested(json, from);
  let at = from;
  // Numbers, true, false and null end where white space or structure begins.
  for (let byte = json[at]; byte !== undefined && isScalarByte(byte); byte = json[at]) at += 1;
  if (at === from) throw new NotJsonObjectError(`the body has a missing value (offset ${from})`);
  return at;
}

const isScalarByte = (byte: number): boolean =>
  byte > 0x20 && byte !== COMMA && byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET && byte !== COLON && byte !== QUOTE;

function skipNested(json: Buffer, from: number): number {
  let depth = 0;
  let at = from;
  while (at < json.length) {
    const byte = json[at];
    if (byte === QUOTE) {
      at = skipString(json, at);
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  throw new NotJsonObjectError(`the body has an unterminated value (offset ${from})`);
}
