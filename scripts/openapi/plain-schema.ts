/** Schemas of the OpenAPI document with everything that they refer to in place. */

export interface PlainSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly PlainSchema[];
  readonly items?: PlainSchema;
  readonly properties?: Readonly<Record<string, PlainSchema>>;
  readonly additionalProperties?: PlainSchema | boolean;
  readonly required?: readonly string[];
  readonly description?: string;
}

interface Referring extends Omit<PlainSchema, 'anyOf' | 'items' | 'properties'> {
  readonly $ref?: string;
  readonly allOf?: readonly Referring[];
  readonly anyOf?: readonly Referring[];
  readonly items?: Referring;
  readonly properties?: Readonly<Record<string, Referring>>;
}

/** @param schemas the components of the document */
export function plainSchema(schema: object, schemas: Readonly<Record<string, object>>): PlainSchema {
  const plain = (part: Referring): PlainSchema => plainSchema(part, schemas);
  const { $ref, type, allOf, anyOf, items, properties, ...rest } = schema as Referring;
  if ($ref !== undefined) return { ...plain(schemas[$ref.replace('#/components/schemas/', '')] ?? {}), ...rest };
  if (allOf?.[0] !== undefined) return { ...plain(allOf[0]), ...rest };
  if (anyOf !== undefined) return { ...rest, anyOf: anyOf.map(plain) };
  const inner = {
    ...rest,
    ...(items && { items: plain(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, plain(part)])),
    }),
  };
  if (rest.enum !== undefined) return inner;
  if (typeof type !== 'object') return { ...inner, ...(type !== undefined && { type }) };
  const { description, ...bare } = inner;
  return {
    ...(description !== undefined && { description }),
    anyOf: type.map((one) => (one === 'null' ? { type: one } : { ...bare, type: one })),
  };
}
