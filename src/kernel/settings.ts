/**
 * One table per program lists every setting with its environment variable, parser, default and description.
 * The table is read once at start, and every problem is reported in one go.
 */
import type { z } from 'zod';

export interface Setting<Value> {
  readonly env: string;
  readonly schema: z.ZodType<Value>;
  /** Spelled as in the environment, so that defaults pass the same parser. Absent: no default, may be unset. */
  readonly fallback?: string;
  readonly description: string;
  readonly secret?: boolean;
}

/** Values of settings without a fallback whose schema accepts undefined stay undefined. */
export type SettingsOf<Table extends Record<string, Setting<unknown>>> = {
  readonly [Name in keyof Table]: z.output<Table[Name]['schema']>;
};

export type SettingSource = 'flag' | 'environment' | 'default';

export interface LoadedSettings<Table extends Record<string, Setting<unknown>>> {
  readonly values: SettingsOf<Table>;
  readonly sources: Readonly<Record<keyof Table, SettingSource>>;
}

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: readonly string[]) {
    super(`invalid configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** @throws SettingsError naming every variable that does not parse. Flags win over the environment, which wins over defaults. */
export function loadSettings<Table extends Record<string, Setting<unknown>>>(
  table: Table,
  env: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string | undefined>> = {},
): LoadedSettings<Table> {
  const values: Record<string, unknown> = {};
  const sources: Record<string, SettingSource> = {};
  const problems: string[] = [];
  for (const [name, setting] of Object.entries(table)) {
    const flag = flags[name];
    // An empty variable is how shells and compose files say "not set".
    const fromEnv = env[setting.env] === '' ? undefined : env[setting.env];
    const text = flag ?? fromEnv ?? setting.fallback;
    sources[name] = flag !== undefined ? 'flag' : fromEnv !== undefined ? 'environment' : 'default';
    const parsed = setting.schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${setting.env}: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`);
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return {
    values: Object.freeze(values) as SettingsOf<Table>,
    sources: Object.freeze(sources) as Record<keyof Table, SettingSource>,
  };
}
