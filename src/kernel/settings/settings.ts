/** Reads a table of settings once at the start, and reports every problem in one go. */
import { stripUnprintable } from '../printable.js';
import { whatIsWrong } from './expected-value.js';
import { withoutUnit } from './quantity.js';
import type { Setting, SettingsOf, SettingsTable } from './setting.js';

export type SettingSource = 'flag' | 'environment' | 'default';

type Texts = Readonly<Record<string, string | undefined>>;

/** Where values come from, the strongest first. */
export interface SettingInputs {
  /** By the names of the settings. */
  readonly flags?: Texts;
  readonly env: Texts;
}

/** The value of one setting, right or wrong. */
export interface ResolvedSetting {
  readonly source: SettingSource;
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

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: readonly string[]) {
    super(`invalid configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** Flags win over the environment, which wins over defaults. */
export function resolveSetting(name: string, setting: Setting<unknown>, inputs: SettingInputs): ResolvedSetting {
  const { text, source } = textOf(name, setting, inputs);
  const parsed = setting.schema.safeParse(text === undefined ? undefined : withoutUnit(setting.env, text));
  if (parsed.success) return { source, text, value: parsed.data, problem: undefined };
  const wrong = whatIsWrong(setting, text ?? '', parsed.error);
  const shown = setting.secret === true || text === undefined ? '' : `=${quoted(text)}`;
  return { source, text, value: undefined, problem: `${setting.env}${shown}: ${wrong}` };
}

/** @throws SettingsError naming every value that does not parse */
export function loadSettings<Table extends SettingsTable>(
  table: Table,
  env: Texts,
  flags: Texts = {},
): LoadedSettings<Table> {
  const values: Record<string, unknown> = {};
  const sources: Record<string, SettingSource> = {};
  const problems: string[] = [];
  for (const [name, setting] of Object.entries(table)) {
    const { source, value, problem } = resolveSetting(name, setting, { env, flags });
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

function textOf(
  name: string,
  setting: Setting<unknown>,
  { flags = {}, env }: SettingInputs,
): Pick<ResolvedSetting, 'text' | 'source'> {
  const flag = flags[name];
  if (flag !== undefined) return { text: flag, source: 'flag' };
  const variable = env[setting.env];
  // An empty variable is how shells and compose files say "not set".
  if (variable !== undefined && variable !== '') return { text: variable, source: 'environment' };
  return { text: setting.fallback, source: 'default' };
}

const MOST_CHARACTERS = 60;

function quoted(text: string): string {
  const short = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return JSON.stringify(stripUnprintable(short));
}
