/** One table per program lists every setting with its environment variable, parser, default and description. */
import { z } from 'zod';

export interface Setting<Value> {
  readonly env: string;
  readonly schema: z.ZodType<Value>;
  /** Spelled as in the environment, so that defaults pass the same parser. Absent: no default, may be unset. */
  readonly fallback?: string;
  readonly description: string;
  readonly secret?: boolean;
  /** SIGHUP may change it: every use reads it anew. */
  readonly reload?: boolean;
}

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;

/** Values of settings without a fallback whose schema accepts undefined stay undefined. */
export type SettingsOf<Table extends SettingsTable> = {
  readonly [Name in keyof Table]: z.output<Table[Name]['schema']>;
};

/** @param fallback the default, spelled as in the environment; undefined: may be unset */
export const setting = <Value>(
  env: string,
  schema: z.ZodType<Value>,
  fallback: string | undefined,
  description: string,
  extra: { secret?: boolean; reload?: boolean } = {},
): Setting<Value> => ({ env, schema, description, ...extra, ...(fallback === undefined ? {} : { fallback }) });

/** Pass this as the last parameter of {@link setting} when a reload applies the setting. */
export const reloadable = { reload: true };

export const MEBIBYTE = 1_048_576;
export const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
export const optionalText = z.string().min(1).optional();
