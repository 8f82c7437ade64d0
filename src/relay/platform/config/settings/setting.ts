import { z } from 'zod';
import type { Setting } from '../../../../kernel/settings.js';

export const MEBIBYTE = 1_048_576;

export const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
export const text = z.string().min(1);
export const optionalText = z.string().min(1).optional();

/** @param fallback as somebody would write it into the environment; undefined: may be unset */
export const setting = <Value>(
  env: string,
  schema: z.ZodType<Value>,
  fallback: string | undefined,
  description: string,
  extra: { secret?: boolean } = {},
): Setting<Value> => ({ env, schema, description, ...extra, ...(fallback === undefined ? {} : { fallback }) });
