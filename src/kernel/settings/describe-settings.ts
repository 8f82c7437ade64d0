/** The settings of a program as `ferry config` shows them, right or wrong. */
import type { SettingsTable } from './setting.js';
import { SettingsError } from './settings-error.js';
import { fileKey, readSettingsFile, type FileSection, type SettingsSection } from './settings-file.js';
import {
  fileProblems,
  resolveSetting,
  type ResolvedSetting,
  type SettingInputs,
  type SettingSource,
} from './settings.js';

export interface SettingGroup {
  readonly title: string;
  readonly settings: SettingsTable;
}

export interface SettingDescription {
  readonly program: SettingsSection;
  readonly group: string;
  /** The name contains the unit, such as `streamHeartbeatMs`. */
  readonly name: string;
  readonly env: string;
  /** The key is that of its section of the settings file. */
  readonly key: string;
  /** Effective; null when unset or wrong, `********` when it is a secret. */
  readonly value: string | number | readonly (string | number)[] | null;
  /** As written, with its unit; null when unset, `********` when it is a secret. */
  readonly text: string | null;
  readonly source: SettingSource;
  /** File and line; null for other sources. */
  readonly place: string | null;
  /** Null when the value is valid. */
  readonly problem: string | null;
  /** Changes at SIGHUP, without a restart. */
  readonly reload: boolean;
  readonly description: string;
}

export interface DescribedSettings {
  readonly settings: readonly SettingDescription[];
  /** Everything that stops the program from starting, those of single settings among them. */
  readonly problems: readonly string[];
}

interface DescribedProgram {
  readonly program: SettingsSection;
  readonly groups: readonly SettingGroup[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Finds settings that contradict each other. */
  readonly findConflicts?: (inputs: SettingInputs) => readonly string[];
}

const MASK = '********';

/** Never throws: wrong values are part of the answer. */
export function describeSettings({ program, groups, env, findConflicts }: DescribedProgram): DescribedSettings {
  const { file, problems } = fileOf(env, program);
  const inputs = { env, file };
  const table = Object.assign({}, ...groups.map((group) => group.settings)) as SettingsTable;
  const settings = groups.flatMap(({ title, settings: ofGroup }) =>
    Object.entries(ofGroup).map(([name, setting]) => ({
      program,
      group: title,
      name,
      env: setting.env,
      key: fileKey(setting.env),
      ...shownValue(resolveSetting(name, setting, inputs), setting.secret === true),
      reload: setting.reload === true,
      description: setting.description,
    })),
  );
  return {
    settings,
    problems: [
      ...problems,
      ...fileProblems(table, file),
      ...settings.flatMap(({ problem }) => (problem === null ? [] : [problem])),
      ...(findConflicts?.(inputs) ?? []),
    ],
  };
}

function shownValue(
  { value, text, source, place, problem }: ResolvedSetting,
  isSecret: boolean,
): Pick<SettingDescription, 'value' | 'text' | 'source' | 'place' | 'problem'> {
  const shown = (value ?? null) as SettingDescription['value'];
  return {
    value: shown !== null && isSecret ? MASK : shown,
    text: text !== undefined && isSecret ? MASK : (text ?? null),
    source,
    place: place ?? null,
    problem: problem ?? null,
  };
}

function fileOf(
  env: DescribedProgram['env'],
  program: SettingsSection,
): { readonly file: FileSection | undefined; readonly problems: readonly string[] } {
  try {
    return { file: readSettingsFile(env, program), problems: [] };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { file: undefined, problems: error.problems };
  }
}
