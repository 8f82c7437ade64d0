import { isJsonObject, type JsonObject } from '../kernel/json-object.js';

export { isJsonObject, type JsonObject };

/** The elements of an array, or none: anything else in a list's place counts as absent for those who only look for hints. */
export const elementsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** An object field, or an empty object where there is none. */
export const objectIn = (parent: JsonObject, name: string): JsonObject => {
  const value = parent[name];
  return isJsonObject(value) ? value : {};
};
