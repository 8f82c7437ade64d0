/**
 * Half a surrogate pair is legal JSON (`"\ud83d"`) and no Unicode text. Clients that cut a text through an emoji send it, strict engines
 * refuse the whole body, and as it stays in the history, every later request fails.
 */

const LOWER = Buffer.from(String.raw`\ud`);
const UPPER = Buffer.from(String.raw`\uD`);
const REPLACEMENT = Buffer.from(String.raw`\ufffd`);
const ESCAPE_BYTES = REPLACEMENT.length;
const BACKSLASH = 0x5c;
const NONE = Number.POSITIVE_INFINITY;

/**
 * The JSON with U+FFFD in place of every half surrogate. In UTF-8 they exist as escapes only, so that nearly every text is searched
 * natively, twice, and not read.
 * @returns the same buffer where there is none
 */
export function withoutHalfSurrogates(json: Buffer): Buffer {
  let changed: Buffer | undefined;
  let lower = next(json, LOWER, 0);
  let upper = next(json, UPPER, 0);
  while (lower !== NONE || upper !== NONE) {
    const at = Math.min(lower, upper);
    const kind = isEscaped(json, at) ? 'other' : kindAt(json, at);
    const isPair =
      kind === 'high' && json[at + ESCAPE_BYTES] === BACKSLASH && kindAt(json, at + ESCAPE_BYTES) === 'low';
    if (kind !== 'other' && !isPair) {
      changed ??= Buffer.from(json);
      REPLACEMENT.copy(changed, at);
    }
    const from = at + (isPair ? 2 : 1) * (kind === 'other' ? 2 : ESCAPE_BYTES);
    if (lower < from) lower = next(json, LOWER, from);
    if (upper < from) upper = next(json, UPPER, from);
  }
  return changed ?? json;
}

function next(json: Buffer, mark: Buffer, from: number): number {
  const at = json.indexOf(mark, from);
  return at === -1 ? NONE : at;
}

/** Whether the backslash is itself escaped: the text is then a backslash and letters. */
function isEscaped(json: Buffer, at: number): boolean {
  let before = 0;
  while (json[at - 1 - before] === BACKSLASH) before += 1;
  return before % 2 === 1;
}

function kindAt(json: Buffer, at: number): 'high' | 'low' | 'other' {
  const escape = json.toString('latin1', at, at + ESCAPE_BYTES);
  if (/^\\ud[89ab][\da-f]{2}$/i.test(escape)) return 'high';
  return /^\\ud[c-f][\da-f]{2}$/i.test(escape) ? 'low' : 'other';
}

const HALF = /\p{Surrogate}/u;

/**
 * Paths of the texts with half a surrogate pair, as `messages[0].content`.
 * @param limit of paths
 */
export function brokenTexts(value: unknown, limit: number): readonly string[] {
  const found: string[] = [];
  lookIn(value, '', found, limit);
  return found;
}

function lookIn(value: unknown, path: string, found: string[], limit: number): void {
  if (found.length >= limit) return;
  if (typeof value === 'string') {
    if (HALF.test(value)) found.push(path);
  } else if (Array.isArray(value)) {
    value.forEach((element: unknown, index) => {
      lookIn(element, `${path}[${index}]`, found, limit);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, child] of Object.entries(value)) {
      // A name cannot be repeated in a header as it is.
      if (HALF.test(name) && found.length < limit) found.push(path);
      lookIn(child, path === '' ? name : `${path}.${name}`, found, limit);
    }
  }
}
