/** Reads a table of settings once at the start, and reports every problem in one go. */
import { stripUnprintable } from '../printable.js';
import { problemOf } from './expected-value.js';
import { withoutUnit } from './quantity.js';
import type { Setting, SettingsOf, SettingsTable } from './setting.js';
import { SettingsError } from './settings-error.js';
import { at, fileKey, isReadableByAll, unknownKeys, type FileSection } from './settings-file.js';

export type SettingSource = 'flag' | 'environment' | 'file' | 'default';

type Texts = Readonly<Record<string, string | undefined>>;

/** Where values come from, the strongest first. */
export interface SettingInputs {
  /** Keyed by the names of the settings. */
  readonly flags?: Texts | undefined;
  readonly env: Texts;
  readonly file?: FileSection | undefined;
}

/** The value of one setting, right or wrong. */
export interface ResolvedSetting {
  readonly source: SettingSource;
  /** The file and its line; undefined for other sources. */
  readonly place: string | undefined;
  /** As written; undefined: not set. */
  readonly text: string | undefined;
  /** Undefined: not set, or wrong. */
  readonly value: unknown;
  /** With its place and, unless it is a secret, the text. Undefined: the value is right. */
  readonly problem: string | undefined;
}

export interface LoadedSettings<Table extends SettingsTable> {
  readonly values: SettingsOf<Table>;
  readonly sources: Readonly<Record<keyof Table, SettingSource>>;
}

/** Flags win over the environment, which wins over the file, which wins over defaults. */
export function resolveSetting(name: string, setting: Setting<unknown>, inputs: SettingInputs): ResolvedSetting {
  const { text, source, place } = textOf(name, setting, inputs);
  const parsed = setting.schema.safeParse(text === undefined ? undefined : withoutUnit(setting.env, text));
  if (parsed.success) return { source, place, text, value: parsed.data, problem: undefined };
  const wrong = problemOf(setting, text ?? '', parsed.error);
  const shown = setting.secret === true || text === undefined ? '' : `=${quoted(text)}`;
  const spelled = place === undefined ? setting.env : `${place}: ${fileKey(setting.env)}`;
  return { source, place, text, value: undefined, problem: `${spelled}${shown}: ${wrong}` };
}

/** @throws SettingsError naming every value that does not parse, and every key of the file that is no setting */
export function loadSettings<Table extends SettingsTable>(
  table: Table,
  env: Texts,
  flags: Texts = {},
  file?: FileSection,
): LoadedSettings<Table> {
  const values: Record<string, unknown> = {};
  const sources: Record<string, SettingSource> = {};
  const problems = fileProblems(table, file);
  for (const [name, setting] of Object.entries(table)) {
    const { source, value, problem } = resolveSetting(name, setting, { env, flags, file });
    sources[name] = source;
    values[name] = value;
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return {
    values: Object.freeze(values) as SettingsOf<Table>,
    sources: Object.freeze(sources) as Record<keyof Table, SettingSource>,
  };
}

export const fileProblems = (table: SettingsTable, file: FileSection | undefined): string[] =>
  file === undefined ? [] : [...file.problems, ...unknownKeys(file, table)];

/** A warning when the file has secrets that every user of this computer may read. */
export function exposedSecrets(table: SettingsTable, file: FileSection | undefined): string | undefined {
  if (file === undefined || !isReadableByAll(file)) return undefined;
  const keys = Object.values(table).flatMap(({ env, secret }) => (secret === true ? [fileKey(env)] : []));
  const exposed = keys.filter((key) => file.entries.has(key));
  if (exposed.length === 0) return undefined;
  return `every user of this computer can read ${file.path}, which has ${exposed.join(', ')}: chmod o= ${file.path}`;
}

function textOf(
  name: string,
  setting: Setting<unknown>,
  { flags = {}, env, file }: SettingInputs,
): Pick<ResolvedSetting, 'text' | 'source' | 'place'> {
  const flag = flags[name];
  if (flag !== undefined) return { text: flag, source: 'flag', place: undefined };
  const variable = env[setting.env];
  // An empty variable is how shells and compose files say "not set".
  if (variable !== undefined && variable !== '') return { text: variable, source: 'environment', place: undefined };
  const entry = file?.entries.get(fileKey(setting.env));
  if (file !== undefined && entry !== undefined && entry.text !== '') {
    return { text: entry.text, source: 'file', place: at(file.path, entry.line) };
  }
  return { text: setting.fallback, source: 'default', place: undefined };
}

const MOST_CHARACTERS = 60;

function quoted(text: string): string {
  const short = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return JSON.stringify(stripUnprintable(short));
}
