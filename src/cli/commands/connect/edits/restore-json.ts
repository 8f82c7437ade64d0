/** Takes the change of a JSON file back, value by value, so that it does not matter how the file has been written anew since. */
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../../kernel/json-object.js';
import { editJson, parseJsonFile, type JsonValue } from './json-edit.js';

type Tree = Readonly<Record<string, unknown>>;

/** @throws CliError when one of the texts is not a JSON object */
export function restoreJson(current: string, before: string, after: string, file: string): string {
  const [old, changed] = [parseJsonFile(before, file), parseJsonFile(after, file)];
  const restored = editJson(current, differences(old, changed, []), file);
  return withoutEmptied(restored, old, changed, file);
}

/** The values of `old` where `changed` has others; objects are compared key by key, and undefined removes a key. */
function differences(old: Tree, changed: Tree, at: readonly string[]): readonly JsonValue[] {
  return [...new Set([...Object.keys(old), ...Object.keys(changed)])].flatMap((key): readonly JsonValue[] => {
    const [was, is] = [old[key], changed[key]];
    const path = [...at, key];
    if (isJsonObject(is) && (was === undefined || isJsonObject(was))) return differences(was ?? {}, is, path);
    return isDeepStrictEqual(was, is) ? [] : [{ path, value: was }];
  });
}

/** Objects that the change made go when nothing is left in them. */
function withoutEmptied(text: string, old: Tree, changed: Tree, file: string): string {
  const paths = madeObjects(old, changed, []);
  return paths.reduce((edited, path) => {
    const value = path.reduce<unknown>(
      (inner, key) => (isJsonObject(inner) ? inner[key] : undefined),
      parseJsonFile(edited, file),
    );
    const isEmptied = isJsonObject(value) && Object.keys(value).length === 0;
    return isEmptied ? editJson(edited, [{ path, value: undefined }], file) : edited;
  }, text);
}

/** Inner ones before those that contain them. */
const madeObjects = (old: Tree, changed: Tree, at: readonly string[]): readonly (readonly string[])[] =>
  Object.entries(changed).flatMap(([key, is]) => {
    if (!isJsonObject(is)) return [];
    const was = old[key];
    const path = [...at, key];
    const inner = madeObjects(isJsonObject(was) ? was : {}, is, path);
    return was === undefined ? [...inner, path] : inner;
  });
