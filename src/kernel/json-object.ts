import { isExactNumber } from './exact-json.js';

/** A parsed JSON object. Nothing is known about its fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value);

/** The elements of an array; anything else counts as an empty one. */
export const elementsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** An object field, or an empty object where there is none. */
export const objectIn = (parent: JsonObject, name: string): JsonObject => {
  const value = parent[name];
  return isJsonObject(value) ? value : {};
};

/** `text` as JSON; undefined when it is not valid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
