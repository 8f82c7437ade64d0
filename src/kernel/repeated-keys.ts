/**
 * One rule for a key that an object has twice: the last one counts, for the relay's checks as for the engine. `JSON.parse` takes the last,
 * and some engines the first, so that a value which was never checked would reach them.
 */
import { applySplices, readKey, skipString, type Splice } from './json-members.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Members of a parsed value at all depths: fewer than its text has colons outside of strings where a key is repeated. */
export function countMembers(value: object): number {
  let members = 0;
  if (Array.isArray(value)) {
    for (const element of value as readonly unknown[]) {
      if (typeof element === 'object' && element !== null) members += countMembers(element);
    }
    return members;
  }
  for (const key in value) {
    members += 1;
    const child: unknown = (value as Record<string, unknown>)[key];
    if (typeof child === 'object' && child !== null) members += countMembers(child);
  }
  return members;
}

/** An object whose end has not been seen. */
interface OpenObject {
  /** Offsets of the keys, in order. */
  readonly starts: number[];
  /** Position of the last member of each name. */
  readonly positions: Map<string, number>;
  readonly repeated: number[];
  expectsKey: boolean;
}

/**
 * The text without the members that a later one of the same name replaces, at any depth; every other byte stays.
 * @param json valid JSON
 * @returns the same buffer where no key is repeated
 * @throws NotJsonObjectError for a string that never ends
 */
export function withoutRepeatedKeys(json: Buffer): Buffer {
  const removals: Splice[] = [];
  const open: (OpenObject | null)[] = [];
  let at = 0;
  while (at < json.length) {
    const byte = json[at];
    const object = open.at(-1);
    if (byte === QUOTE) {
      const end = skipString(json, at);
      if (object?.expectsKey === true) takeKey(object, readKey(json, at, end), at);
      at = end;
      continue;
    }
    if (byte === OPEN_BRACE) open.push({ starts: [], positions: new Map(), repeated: [], expectsKey: true });
    else if (byte === OPEN_BRACKET) open.push(null);
    else if (byte === COMMA && object != null) object.expectsKey = true;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) removals.push(...removalsIn(open.pop()));
    at += 1;
  }
  return removals.length === 0 ? json : Buffer.concat(applySplices(json, outermost(removals)));
}

function takeKey(object: OpenObject, key: string, start: number): void {
  object.expectsKey = false;
  const earlier = object.positions.get(key);
  if (earlier !== undefined) object.repeated.push(earlier);
  object.positions.set(key, object.starts.length);
  object.starts.push(start);
}

/** A later member follows each of them, so that a removal ends where the next member begins. */
const removalsIn = (object: OpenObject | null | undefined): readonly Splice[] =>
  (object?.repeated ?? []).map((position) => ({
    start: object?.starts[position] ?? 0,
    end: object?.starts[position + 1] ?? 0,
    text: '',
  }));

/** Drops removals that lie inside of another one: the outer one removes them, too. */
function outermost(removals: readonly Splice[]): readonly Splice[] {
  let coveredTo = 0;
  return removals
    .toSorted((one, other) => one.start - other.start || other.end - one.end)
    .filter(({ start, end }) => {
      if (start < coveredTo) return false;
      coveredTo = end;
      return true;
    });
}
