/** What all operations of `/api` have in common: credentials, headers, error answers and whole examples. */
import type { ErrorCode } from '../../src/kernel/errors/error-catalogue.js';
import { responseHeaders } from '../../src/relay/openapi/inference/headers.js';
import type { Schema } from '../../src/dialects/schema.js';
import { ALTERNATIVES, ERROR_CODES } from '../../src/relay/platform/openapi/responses.js';
import { exampleOf, type DocumentedSchema, type Schemas } from './compose-examples.js';
import { errorResponses, type NeededRole } from './management-errors.js';
import { parameter, rateHeaders, replayHeaders } from './management-headers.js';

type Content = Readonly<Record<string, { readonly schema: DocumentedSchema; readonly example?: unknown }>>;

/** An operation as `@nestjs/swagger` generates it, and as it is published. */
export interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly description?: string;
  readonly parameters?: readonly { readonly in?: string; readonly name?: string }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly content?: Content }>>;
  readonly [ERROR_CODES]?: readonly ErrorCode[];
  readonly [ALTERNATIVES]?: Readonly<Record<string, string>>;
}

interface Described {
  readonly method: string;
  readonly path: string;
  readonly role: NeededRole;
  readonly operation: Operation;
  readonly schemas: Schemas;
}

export function describeOperation({ method, path, role, operation, schemas }: Described): Operation {
  const {
    [ERROR_CODES]: errors = [],
    [ALTERNATIVES]: alternatives = {},
    parameters = [],
    requestBody,
    responses,
    ...rest
  } = operation;
  const signedIn = role !== 'public';
  // A stream cannot be replayed.
  const repeatable = method === 'post' && signedIn && alternatives['text/event-stream'] === undefined;
  const allParameters = [...parameters, ...(repeatable ? [parameter('IdempotencyKey')] : [])];
  const needs = signedIn ? `Needs the role \`${role}\`.` : 'Needs no credential.';
  const headers: Schema = {
    ...responseHeaders,
    ...(signedIn && rateHeaders),
    ...(repeatable && replayHeaders),
  };
  const success = Object.entries(responses).map(([status, { description, content = {} }]) => {
    const bodies = { ...withExamples(content, schemas, 'answer'), ...texts(alternatives) };
    return [status, { description, headers, ...(Object.keys(bodies).length > 0 && { content: bodies }) }] as const;
  });
  const hasQuery = parameters.some((one) => one.in === 'query');
  const facts = { method, path, role, repeatable, hasBody: requestBody !== undefined, hasQuery, errors };
  return {
    ...rest,
    description: rest.description === undefined ? needs : `${rest.description}\n\n${needs}`,
    'x-required-role': role,
    ...(!signedIn && { security: [] }),
    ...(allParameters.length > 0 && { parameters: allParameters }),
    ...(requestBody && {
      requestBody: { ...requestBody, content: withExamples(requestBody.content, schemas, 'request') },
    }),
    responses: { ...Object.fromEntries(success), ...errorResponses(facts) },
  } as Operation;
}

const withExamples = (content: Content, schemas: Schemas, kind: 'request' | 'answer'): Content =>
  Object.fromEntries(
    Object.entries(content).map(([type, { schema }]) => [type, { schema, example: exampleOf(schema, schemas, kind) }]),
  );

const texts = (bodies: Readonly<Record<string, string>>): Content =>
  Object.fromEntries(Object.entries(bodies).map(([type, example]) => [type, { schema: { type: 'string' }, example }]));
