/** Describes the accepted values of a setting, for messages and the documentation. Derived from its schema, so that both agree with it. */
import { z } from 'zod';
import type { Setting } from './setting.js';
import { unitOf, withUnit } from './quantity.js';
import { similarName } from '../similar-name.js';

export type ExpectedValue =
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  | { readonly kind: 'list' | 'text' };

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
}

export function expectedValue({ schema }: Setting<unknown>): ExpectedValue {
  const json = z.toJSONSchema(schema, { unrepresentable: 'any' }) as Schema;
  if (json.enum !== undefined) return { kind: 'choice', options: json.enum };
  if (json.type === 'integer') return { kind: 'integer', min: json.minimum ?? 0, max: json.maximum ?? 0 };
  return { kind: json.items === undefined ? 'text' : 'list' };
}

/** `must be a time from 1s to 10min; a bare number is in milliseconds`. @param found what the schema says of the value */
export function problemOf(setting: Setting<unknown>, text: string, found: z.ZodError): string {
  const expected = expectedValue(setting);
  switch (expected.kind) {
    case 'integer': {
      const unit = unitOf(setting.env);
      const range = `from ${withUnit(setting.env, expected.min)} to ${withUnit(setting.env, expected.max)}`;
      if (unit === undefined) return `must be a whole number ${range}`;
      return `must be ${unit.kind} ${range}; a bare number is in ${unit.bare}`;
    }
    case 'choice': {
      const meant = similarName(text, expected.options);
      const hint = meant === undefined ? '' : `. Did you mean ${meant}?`;
      return `must be one of ${expected.options.join(', ')}${hint}`;
    }
    case 'list':
    case 'text':
      return [...new Set(found.issues.map(({ message }) => message))].join('; ');
    default:
      return expected satisfies never;
  }
}
