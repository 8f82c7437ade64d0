import { isJsonObject } from '../../../kernel/json-object.js';
import type { EngineObject } from '../engine.js';

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
  const usual = raw['index'] === index && called['arguments'] === text;
  if (name === null) {
    if (usual && !('id' in raw) && !('name' in called)) return raw;
    return text === '' ? undefined : { index, function: { arguments: text } };
  }
  if (usual && raw['id'] === id && raw['type'] === 'function' && called['name'] === name) return raw;
  const { name: _name, arguments: _arguments, parameters: _parameters, ...extra } = raw;
  return { ...extra, index, id, type: 'function', function: { ...called, name, arguments: text } };
}
