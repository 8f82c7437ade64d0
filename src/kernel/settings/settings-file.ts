/**
 * `ferry.toml`: settings of relay and node in one file. Its keys are the variables in lower case without `FERRY_` and `FERRY_NODE_`. Its
 * values become text, so that the same parsers read them.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse, TomlError, type TomlTable, type TomlValue } from 'smol-toml';
import { dataDirectory } from '../data-directory.js';
import { similarName } from '../similar-name.js';
import type { SettingsTable } from './setting.js';
import { SettingsError } from './settings-error.js';

export const sections = ['relay', 'node'] as const;
export type SettingsSection = (typeof sections)[number];

export interface FileEntry {
  readonly text: string;
  /** Undefined: not found, because of an unusual spelling such as a quoted key. */
  readonly line: number | undefined;
}

/** The section of the file for one program. */
export interface FileSection {
  readonly path: string;
  readonly entries: ReadonlyMap<string, FileEntry>;
  /** Values that are neither text, number, boolean nor a list, and sections with another name. */
  readonly problems: readonly string[];
}

/** More is no settings file. */
const MOST_BYTES = 1_048_576;

export const fileKey = (variable: string): string => variable.replace(/^FERRY_(?:NODE_)?/, '').toLowerCase();

/** `FERRY_CONFIG_FILE`, which `--config` sets; else `ferry.toml` in the data directory, where it may be missing. */
export const settingsFilePath = (env: Readonly<Record<string, string | undefined>>): string =>
  path.resolve(env['FERRY_CONFIG_FILE'] || path.join(dataDirectory(env), 'ferry.toml'));

/** Undefined: there is no file. @throws SettingsError when it is named but missing, or is not TOML */
export function readSettingsFile(
  env: Readonly<Record<string, string | undefined>>,
  section: SettingsSection,
): FileSection | undefined {
  const file = settingsFilePath(env);
  const source = read(file, (env['FERRY_CONFIG_FILE'] ?? '') !== '');
  if (source === undefined) return undefined;
  const document = parsed(file, source);
  const lines = source.split('\n');
  const problems = Object.keys(document)
    .filter((name) => !sections.some((known) => known === name))
    .map((name) => {
      const where = at(file, lineOf(lines, undefined, name));
      return isTable(document[name] ?? '')
        ? `${where}: [${name}] is unknown; sections are [relay] and [node]`
        : `${where}: ${name} is in no section; write it below [relay] or [node]`;
    });
  const entries = new Map<string, FileEntry>();
  const table = document[section] ?? {};
  if (!isTable(table))
    return { path: file, entries, problems: [...problems, `${file}: [${section}] must be a section`] };
  for (const [key, value] of Object.entries(table)) {
    const text = textOf(value);
    const line = lineOf(lines, section, key);
    if (text !== undefined) entries.set(key, { text, line });
    else problems.push(`${at(file, line)}: ${key} must be text, a number, true, false, or a list of texts or numbers`);
  }
  return { path: file, entries, problems };
}

/** Keys of the section that no setting has. */
export function unknownKeys({ path: file, entries }: FileSection, table: SettingsTable): readonly string[] {
  const keys = Object.values(table).map(({ env }) => fileKey(env));
  return [...entries].flatMap(([key, { line }]) => {
    if (keys.includes(key)) return [];
    const suggestion = similarName(fileKey(key.toUpperCase()), keys);
    return [
      `${at(file, line)}: ${key} is not a setting${suggestion === undefined ? '' : `. Did you mean ${suggestion}?`}`,
    ];
  });
}

/** Whether every user of this computer may read the file. Windows has no such mode. */
export const isReadableByAll = ({ path: file }: FileSection): boolean =>
  process.platform !== 'win32' && (statSync(file).mode & 0o004) !== 0;

export const at = (file: string, line: number | undefined): string =>
  line === undefined ? file : `${file}:${String(line)}`;

function read(file: string, isNamed: boolean): string | undefined {
  try {
    if (statSync(file).size > MOST_BYTES) throw new SettingsError([`${file}: is larger than 1 MiB`]);
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !isNamed) return undefined;
    if (code === undefined) throw error;
    throw new SettingsError([`${file}: ${code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code})`}`]);
  }
}

function parsed(file: string, source: string): TomlTable {
  try {
    return parse(source);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The lines after the first quote the file, which may contain secrets.
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw new SettingsError([`${at(file, error.line)}: ${inPlainWords(reason)}`]);
  }
}

/** The parser meets the end of the line before the quote that is missing. */
const inPlainWords = (reason: string): string =>
  reason === 'control characters are not allowed in strings' ? 'a text does not end with a quote on its line' : reason;

const isTable = (value: TomlValue): value is TomlTable =>
  typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);

function textOf(value: TomlValue): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (!Array.isArray(value)) return undefined;
  const items = value.map((item) => (typeof item === 'string' || typeof item === 'number' ? String(item) : undefined));
  return items.includes(undefined) ? undefined : items.join(',');
}

/** The parser tells no positions. @param section undefined: `key` is the name of a section */
function lineOf(lines: readonly string[], section: string | undefined, key: string): number | undefined {
  let current: string | undefined;
  for (const [index, line] of lines.entries()) {
    const header = /^\s*\[\s*([\w-]+)\s*\]/.exec(line)?.[1];
    current = header ?? current;
    const [, first, dotted] = /^\s*([\w-]+)(?:\s*\.\s*([\w-]+))?\s*=/.exec(line) ?? [];
    const isHere =
      section === undefined
        ? header === key || (current === undefined && first === key)
        : isEntry(current, first, dotted, section, key);
    if (isHere) return index + 1;
  }
  return undefined;
}

const isEntry = (
  current: string | undefined,
  first: string | undefined,
  dotted: string | undefined,
  section: string,
  key: string,
): boolean => (current === section && first === key) || (current === undefined && first === section && dotted === key);
