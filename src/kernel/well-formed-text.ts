/**
 * Halves of surrogate pairs in JSON. `"\ud83d"` is legal JSON and no text: strict parsers refuse the whole document
 * (docs/reference/translation.md#text-and-numbers).
 */
import { isJsonObject, type JsonObject } from './json-object.js';

const REPLACEMENT_ESCAPE = Buffer.from(String.raw`\ufffd`);
const ESCAPE_BYTES = 6;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** How the escape of any surrogate begins: JSON without one cannot contain half a pair. */
const LOWER = Buffer.from(String.raw`\ud`);
const UPPER = Buffer.from(String.raw`\uD`);

/**
 * JSON with U+FFFD for every half pair, in the same number of bytes. Every other byte stays as it is.
 * @returns the same buffer where there was none
 */
export function replaceHalfEscapes(json: Buffer): Buffer {
  if (!json.includes(LOWER) && !json.includes(UPPER)) return json;
  let repaired: Buffer | undefined;
  let at = json.indexOf(BACKSLASH);
  while (at !== -1) {
    const unit = escapedUnit(json, at);
    if (unit === undefined) {
      // Over the escaped character, which may be a backslash.
      at = json.indexOf(BACKSLASH, at + 2);
      continue;
    }
    if (isFirstHalf(unit) && isSecondHalf(escapedUnit(json, at + ESCAPE_BYTES))) {
      at = json.indexOf(BACKSLASH, at + 2 * ESCAPE_BYTES);
      continue;
    }
    if (isFirstHalf(unit) || isSecondHalf(unit)) {
      repaired ??= Buffer.from(json);
      REPLACEMENT_ESCAPE.copy(repaired, at);
    }
    at = json.indexOf(BACKSLASH, at + ESCAPE_BYTES);
  }
  return repaired ?? json;
}

/** The code unit of `\uXXXX`; undefined for anything else. */
function escapedUnit(json: Buffer, at: number): number | undefined {
  if (json[at] !== BACKSLASH || json[at + 1] !== LETTER_U) return undefined;
  const digits = json.toString('latin1', at + 2, at + ESCAPE_BYTES);
  return /^[\da-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

export const isFirstHalf = (unit: number | undefined): boolean =>
  unit !== undefined && unit >= 0xd800 && unit <= 0xdbff;

const isSecondHalf = (unit: number | undefined): boolean => unit !== undefined && unit >= 0xdc00 && unit <= 0xdfff;

/** The value with U+FFFD for every half pair in its texts and keys; the same object where there was none. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.isWellFormed() ? value : value.toWellFormed();
  if (Array.isArray(value)) {
    const elements = value.map(wellFormed);
    return elements.some((element, index) => element !== value[index]) ? elements : value;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)] as const);
  const same = entries.every(([key, member]) => Object.hasOwn(value, key) && value[key] === member);
  return same ? value : Object.fromEntries(entries);
}

/** {@link wellFormed} for an object that others hold already. */
export function repairTexts(object: JsonObject): void {
  const repaired = wellFormed(object);
  if (repaired === object || !isJsonObject(repaired)) return;
  for (const name of Object.keys(object)) Reflect.deleteProperty(object, name);
  Object.assign(object, repaired);
}
