/** Whole examples of bodies, composed from the examples of their fields. */
import { EXAMPLE_TIME, sharedExamples } from './shared-examples.js';

/** A schema of the document, as far as composing needs it. */
export interface DocumentedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly example?: unknown;
  readonly items?: DocumentedSchema;
  readonly properties?: Readonly<Record<string, DocumentedSchema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly DocumentedSchema[];
  readonly anyOf?: readonly DocumentedSchema[];
}

export type Schemas = Readonly<Record<string, DocumentedSchema>>;

/**
 * An example that fits the schema. Of a request, an optional field takes part only when it has an example of its own.
 * @param field name of the field that the schema is of
 */
export function exampleOf(schema: DocumentedSchema, schemas: Schemas, kind: 'request' | 'answer', field = ''): unknown {
  const compose = (part: DocumentedSchema, name = field): unknown => exampleOf(part, schemas, kind, name);
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) return compose(schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {});
  const [alternative] = schema.allOf ?? schema.anyOf ?? [];
  if (alternative !== undefined) return compose(alternative);
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.format === 'date-time') return EXAMPLE_TIME;
  const types = [schema.type ?? 'object'].flat();
  if (types.includes('array')) return schema.items === undefined || isBare(schema.items) ? [] : [compose(schema.items)];
  if (sharedExamples[field] !== undefined) return sharedExamples[field];
  if (types.includes('null') && schema.properties === undefined) return null;
  if (types.includes('boolean')) return false;
  if (types.includes('integer') || types.includes('number')) return 0;
  if (types.includes('string')) return '…';
  const { properties = {}, required = [] } = schema;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name, part]) => kind === 'answer' || required.includes(name) || part.example !== undefined)
      .map(([name, part]) => [name, compose(part, name)]),
  );
}

/** Only fields, objects and lists of words have examples; a list of plain texts has its own or none. */
const isBare = ({ $ref, enum: values, properties }: DocumentedSchema): boolean =>
  $ref === undefined && values === undefined && properties === undefined;
