import { stringifyExact } from '../../../kernel/exact-json.js';
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import type { EngineObject } from '../engine.js';
import { idText } from './call-ids.js';

/** An engine's report of a tool call: all of it or a part. Texts are empty when absent. */
export interface CallFragment {
  readonly raw: EngineObject;
  /** Null where the engine gives none. */
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Undefined for what is no call of a function. */
export function readCallFragment(raw: unknown): CallFragment | undefined {
  if (!isJsonObject(raw) || isJsonObject(raw['custom'])) return undefined;
  const called = calledIn(raw);
  const { name } = called;
  return {
    raw,
    index: indexIn(raw['index']),
    id: idText(raw['id']),
    name: typeof name === 'string' ? name.toWellFormed() : '',
    arguments: argumentsText(called['arguments'] ?? called['parameters']),
  };
}

/** Some engines leave out the level between. */
function calledIn(raw: EngineObject): EngineObject {
  const { function: called } = raw;
  if (isJsonObject(called)) return called;
  return typeof raw['name'] === 'string' || 'arguments' in raw ? raw : {};
}

/** A number also when it is written as a text. */
export function indexIn(value: unknown): number | null {
  const index = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : null;
}

function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? stringifyExact(value) : '';
}

/** An object that was encoded twice; any other text as it is. Only for the beginning of arguments: in the middle such a text is a value. */
export function encodedOnce(text: string): string {
  if (!text.startsWith('"{')) return text;
  const inner = parseJson(text);
  return typeof inner === 'string' && isJsonObject(parseJson(inner)) ? inner : text;
}

/**
 * A fragment of a call as Chat Completions has it: id, type and name in the first one only. The engine's own object where it is right.
 * @param name null in all fragments but the first
 * @returns undefined for a further fragment that says nothing
 */
export function callFragmentOf(
  { index, id }: { readonly index: number; readonly id: string },
  name: string | null,
  text: string,
  raw: EngineObject,
): EngineObject | undefined {
  const called = isJsonObject(raw['function']) ? raw['function'] : {};
  const typical = raw['index'] === index && called['arguments'] === text;
  if (name === null) {
    if (typical && !('id' in raw) && !('name' in called)) return raw;
    return text === '' ? undefined : { index, function: { arguments: text } };
  }
  if (typical && raw['id'] === id && raw['type'] === 'function' && called['name'] === name) return raw;
  const { name: _name, arguments: _arguments, parameters: _parameters, ...extra } = raw;
  return { ...extra, index, id, type: 'function', function: { ...called, name, arguments: text } };
}
