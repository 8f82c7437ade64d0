/** Changes a TOML file as text, so that comments, order and spacing stay; the result is parsed and compared before it is used. */
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, type TomlTable } from 'smol-toml';
import { isJsonObject } from '../../../../kernel/json-object.js';
import { unreadableFile, unsupportedFile } from './file-refusal.js';

interface TomlChange {
  /** Keys above the first table; undefined removes one. */
  readonly top: Readonly<Record<string, string | number | undefined>>;
  /** `[outer.inner]`. */
  readonly table: readonly [outer: string, inner: string];
  /** Keys of that table to set. Its other keys stay. */
  readonly values: Readonly<Record<string, string>>;
  /** Keys to remove from the table, because they conflict. */
  readonly removed: readonly string[];
}

const HEADER = /^\s*\[/;

/** @throws CliError when the file is not TOML, or has the table in a form that cannot be edited in place */
export function editToml(text: string, change: TomlChange, file: string): string {
  const before = parseToml(text, file);
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const edited = withTable(withTopKeys(lines, change), change).join('\n') + '\n';
  if (!isDeepStrictEqual(plain(parseOrUndefined(edited)), plain(expected(before, change)))) {
    throw unsupportedFile(file, `it has [${change.table.join('.')}] in a form that cannot be changed in place`);
  }
  return edited;
}

/** @throws CliError */
export function parseToml(text: string, file: string): TomlTable {
  try {
    return parse(text);
  } catch (error) {
    throw unreadableFile(file, 'TOML', error);
  }
}

function parseOrUndefined(text: string): TomlTable | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Converts the parser's tables, which have no prototype, to plain objects for comparison. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

function expected(before: TomlTable, { top, table: [outer, inner], values, removed }: TomlChange): TomlTable {
  const group = isJsonObject(before[outer]) ? before[outer] : {};
  const table = isJsonObject(group[inner]) ? group[inner] : {};
  const kept = Object.fromEntries(Object.entries(table).filter(([key]) => !removed.includes(key)));
  const rest = Object.fromEntries(Object.entries(before).filter(([key]) => !(key in top)));
  return { ...rest, ...present(top), [outer]: { ...group, [inner]: { ...kept, ...values } } };
}

const present = (values: TomlChange['top']): Readonly<Record<string, string | number>> =>
  Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

function withTopKeys(lines: readonly string[], { top }: TomlChange): string[] {
  const removed = new Set(Object.keys(top).filter((key) => top[key] === undefined));
  const end = lines.findIndex((line) => HEADER.test(line));
  const head = lines.slice(0, end === -1 ? lines.length : end).filter((line) => !removed.has(keyOf(line) ?? ''));
  const rest = end === -1 ? [] : lines.slice(end);
  const added: string[] = [];
  for (const [key, value] of Object.entries(present(top))) {
    const index = head.findIndex((line) => keyOf(line) === key);
    if (index === -1) added.push(assignment(key, value));
    else head[index] = assignment(key, value);
  }
  const gap = added.length > 0 && head.length === 0 && rest.length > 0 ? [''] : [];
  return [...added, ...head, ...gap, ...rest];
}

function withTable(lines: readonly string[], { table, values, removed }: TomlChange): string[] {
  const assignments = Object.entries(values).map(([key, value]) => assignment(key, value));
  const start = lines.findIndex((line) => headerOf(line) === table.join('.'));
  if (start === -1) {
    const gap = lines.length === 0 || lines.at(-1) === '' ? [] : [''];
    return [...lines, ...gap, `[${table.join('.')}]`, ...assignments];
  }
  const length = lines.slice(start + 1).findIndex((line) => HEADER.test(line));
  const end = length === -1 ? lines.length : start + 1 + length;
  const replaced = new Set([...Object.keys(values), ...removed]);
  const kept = lines.slice(start + 1, end).filter((line) => !replaced.has(keyOf(line) ?? ''));
  return [...lines.slice(0, start + 1), ...assignments, ...kept, ...lines.slice(end)];
}

const keyOf = (line: string): string | undefined => /^\s*"?([\w-]+)"?\s*=/.exec(line)?.[1];

/** `model_providers.ferry` of `[model_providers.ferry]`, quoted or not. */
const headerOf = (line: string): string | undefined => {
  const name = /^\s*\[([^[\]]+)\]\s*(#.*)?$/.exec(line)?.[1];
  return name
    ?.split('.')
    .map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .join('.');
};

const assignment = (key: string, value: string | number): string => stringify({ [key]: value }).trim();
