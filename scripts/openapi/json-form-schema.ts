/** Schemas of the relay's responses as the command line prints them (src/cli/core/output/json-form.ts). */
import { foreignFields, idNames, timeNames } from '../../src/cli/core/output/json-form.js';

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

/** @param schema one, or a table of them */
export function inJsonFormSchema<Of>(schema: Of): Of {
  return formed(schema) as Of;
}

function formed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formed);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Schema;
  const { properties, required } = schema;
  if (typeof properties !== 'object') {
    return Object.fromEntries(Object.entries(schema).map(([keyword, inner]) => [keyword, formed(inner)]));
  }
  const kinds = [properties['object']?.const, ...(properties['object']?.enum ?? [])];
  const nameOf = (name: string): string => {
    const field = properties[name];
    if (foreignFields.has(name) || field === undefined) return name;
    if (isTime(name, field)) return timeNames.get(name) ?? name;
    if (name === 'id') return idNames.get(String(kinds.find((kind) => typeof kind === 'string'))) ?? name;
    return name === 'status' && field.type === 'string' ? 'state' : name;
  };
  return {
    ...Object.fromEntries(
      Object.entries(schema)
        .filter(([keyword]) => keyword !== 'properties' && keyword !== 'required')
        .map(([keyword, inner]) => [keyword, formed(inner)]),
    ),
    ...(required === undefined ? {} : { required: required.map(nameOf) }),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [
        nameOf(name),
        isTime(name, field) ? timeOf(field) : formed(field),
      ]),
    ),
  };
}

const typesOf = ({ type }: Schema): readonly string[] => (typeof type === 'string' ? [type] : (type ?? []));

const isTime = (name: string, field: Schema): boolean =>
  timeNames.has(name) && typesOf(field).some((type) => type === 'integer' || type === 'number');

function timeOf({
  description,
  type: _type,
  example: _example,
  minimum: _minimum,
  maximum: _maximum,
  ...rest
}: Schema): Schema {
  const types = typeof _type === 'string' ? [_type] : (_type ?? []);
  return {
    ...rest,
    type: types.includes('null') ? ['string', 'null'] : 'string',
    description: (description ?? 'Time.').replace(/,? ?(?:in )?[Ss]econds since 1970/, ', ISO 8601').replace(/^, /, ''),
  };
}
