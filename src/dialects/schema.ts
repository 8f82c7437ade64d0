/** Functions for JSON Schema 2020-12, as in OpenAPI 3.1. Objects are open: unknown fields are always allowed. */

export type Schema = Readonly<Record<string, unknown>>;
export type Properties = Readonly<Record<string, Schema>>;

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

export const text = (description?: string): Schema => described({ type: 'string' }, description);
export const integer = (description?: string): Schema => described({ type: 'integer' }, description);
export const number = (description?: string): Schema => described({ type: 'number' }, description);
export const flag = (description?: string): Schema => described({ type: 'boolean' }, description);
export const literal = (value: string): Schema => ({ type: 'string', const: value });
export const oneOfTexts = (values: readonly string[], description?: string): Schema =>
  described({ type: 'string', enum: values }, description);
/** Any JSON object: its fields belong to the client or the engine. */
export const anyObject = (description?: string): Schema => described({ type: 'object' }, description);

export const list = (items: Schema, description?: string): Schema => described({ type: 'array', items }, description);

export const anyOf = (schemas: readonly Schema[], description?: string): Schema =>
  described({ anyOf: schemas }, description);

/** `null` stands for absent in every optional field of a request, and for "none" in a response. */
export const nullable = ({ description, ...schema }: Schema): Schema => {
  const { type, ...rest } = schema;
  const simple = typeof type === 'string' && !('enum' in rest) && !('const' in rest);
  return described(simple ? { type: [type, 'null'], ...rest } : { anyOf: [schema, { type: 'null' }] }, description);
};

/** @param required names of the properties that are always there */
export const object = (properties: Properties, required: readonly string[] = [], description?: string): Schema =>
  described({ type: 'object', ...(required.length > 0 && { required }), properties }, description);

/** An object whose properties are all required, as in responses. */
export const whole = (properties: Properties, description?: string): Schema =>
  object(properties, Object.keys(properties), description);

/** Every property may be left out or null, as optional fields of requests may. */
export const optional = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, nullable(schema)]));

const described = (schema: Schema, description: unknown): Schema =>
  typeof description === 'string' ? { description, ...schema } : schema;
