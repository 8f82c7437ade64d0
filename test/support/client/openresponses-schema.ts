/** Validates bodies and events of the responses route against the published OpenResponses document. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

interface Schema {
  properties?: Record<string, { enum?: readonly string[] } & Record<string, unknown>>;
}

const file = path.resolve('test/fixtures/openresponses-openapi.json');
const document = JSON.parse(readFileSync(file, 'utf8')) as { components: { schemas: Record<string, Schema> } };
const { schemas } = document.components;

// An error in the document: the schema of a JSON schema format may only be null. Echoing the real one is correct
// (docs/reference/client-protocols.md#responses).
schemas['JsonSchemaResponseFormat']!.properties!['schema'] = { anyOf: [{ type: 'object' }, { type: 'null' }] };

const ajv = new Ajv2020({ strict: false, allErrors: false, discriminator: true });
ajv.addSchema(document, 'openresponses');

const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string): ValidateFunction {
  const known = validators.get(name) ?? ajv.compile({ $ref: `openresponses#/components/schemas/${name}` });
  validators.set(name, known);
  return known;
}

const eventSchemas = new Map(
  Object.entries(schemas)
    .filter(([name]) => name.endsWith('StreamingEvent'))
    .map(([name, schema]) => [schema.properties?.['type']?.enum?.[0], name]),
);

function assertValid(name: string, value: unknown): void {
  const validate = validatorOf(name);
  if (validate(value)) return;
  throw new Error(`not a valid ${name}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value).slice(0, 2_000)}`);
}

/** @throws Error that names the field, when the body is not a response resource */
export const assertResponseResource = (body: unknown): void => {
  assertValid('ResponseResource', body);
};

/** @throws Error that names the field, when it is not an event of a responses stream */
export function assertResponseEvent(event: unknown): void {
  const type = (event as { type?: string }).type;
  const name = eventSchemas.get(type);
  if (name === undefined) throw new Error(`no such event: ${String(type)}`);
  assertValid(name, event);
}

export interface ResponseEvent extends Record<string, unknown> {
  readonly type: string;
  readonly sequence_number: number;
}

/**
 * Parses a complete stream and checks the requirements for every responses stream: named events of one line each, numbered without
 * gaps, valid by the schema, one terminal event, one `[DONE]` at the end (docs/reference/client-protocols.md#responses).
 * The schema has no custom tools: where the client declared some, items that mention them are not validated. `from` is the number of the
 * first event, when the text is the tail of a stream.
 */
export function assertResponseStream(text: string, { customTools = false, from = 0 } = {}): readonly ResponseEvent[] {
  const frames = text.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'));
  if (!text.endsWith('data: [DONE]\n\n')) throw new Error(`no [DONE] at the end: ${text.slice(-200)}`);
  const events = frames.slice(0, -1).map((frame, index) => {
    const lines = frame.split('\n');
    const [name = '', data = ''] = lines;
    if (lines.length !== 2 || !name.startsWith('event: ') || !data.startsWith('data: ')) {
      throw new Error(`not one named event with one line of data: ${frame.slice(0, 200)}`);
    }
    const event = JSON.parse(data.slice('data: '.length)) as ResponseEvent;
    if (name !== `event: ${event.type}`) throw new Error(`${name} carries ${event.type}`);
    if (event.sequence_number !== from + index)
      throw new Error(`event ${String(from + index)} is numbered ${String(event.sequence_number)}`);
    if (!customTools || !data.includes('custom_tool_call')) assertResponseEvent(event);
    return event;
  });
  const terminal = events.filter(({ type }) => /^response\.(completed|incomplete|failed)$/.test(type));
  if (terminal.length !== 1 || terminal[0] !== events.at(-1))
    throw new Error('not exactly one terminal event, at the end');
  return events;
}
