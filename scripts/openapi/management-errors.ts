/** The failures of one management operation, one response per status with every code that it can carry. */
import { definitionOf, type ErrorCode } from '../../src/kernel/errors/error-catalogue.js';
import { FerryError } from '../../src/kernel/errors/ferry-error.js';
import type { Role } from '../../src/relay/platform/access/principal.js';
import { serializeManagementError } from '../../src/relay/platform/http/errors/management-error.js';
import { responseHeaders, retryHeaders } from '../../src/relay/openapi/inference/headers.js';
import { integer, nullable, text, whole, type Schema } from '../../src/dialects/schema.js';
import { rateHeaders } from './management-headers.js';

const REQUEST_ID = 'req_5b1f0c9e7a3d4f6889e2c4b7d0a1f352';
const RETRYABLE = new Set([409, 429, 503]);

const titles: Readonly<Record<number, string>> = {
  400: 'The request is invalid.',
  401: 'The credential is missing or invalid.',
  403: 'The credential does not permit this request.',
  404: 'The account has no such object. Objects of other accounts give the same response.',
  409: 'The request conflicts with the current state.',
  413: 'The body exceeds 1 MiB.',
  429: 'A limit has been reached.',
  500: 'Internal error of the relay.',
  503: 'The relay or the node is temporarily unable to serve the request.',
};

export const problemSchema: Schema = whole(
  {
    type: { ...text('URN of the error code.'), pattern: '^urn:ferry:error:[a-z_]+$' },
    title: text('Title of the error code.'),
    status: integer('HTTP status of the response.'),
    detail: text('Description of this occurrence.'),
    code: text('Error code; the last part of `type`.'),
    param: nullable(text('The invalid field, parameter or header.')),
    request_id: text('Same as the header `x-request-id`.'),
  },
  'Problem details (RFC 9457).',
);

/** What decides which errors an operation can answer with. */
export interface OperationFacts {
  readonly method: string;
  /** Parameters in braces. */
  readonly path: string;
  readonly role: NeededRole;
  /** Takes an `Idempotency-Key`. */
  readonly repeatable: boolean;
  readonly hasBody: boolean;
  readonly hasQuery: boolean;
  /** Beyond those that follow from the other members. */
  readonly errors: readonly ErrorCode[];
}

/** At least this role, or no credential at all. */
export type NeededRole = 'public' | Role;

/** The error responses of an operation, by status. */
export function errorResponses(route: OperationFacts): Schema {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(route)) {
    const { status } = definitionOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [String(status), errorResponse(status, codes)]),
  );
}

function codesOf({
  method,
  path,
  role,
  repeatable,
  hasBody,
  hasQuery,
  errors,
}: OperationFacts): ReadonlySet<ErrorCode> {
  const isChange = method !== 'get';
  const signedIn = role !== 'public';
  return new Set<ErrorCode>([
    ...(hasBody || hasQuery || signedIn ? (['invalid_request'] as const) : []),
    ...(hasBody
      ? (['invalid_json', 'unsupported_content_type', 'unsupported_content_encoding', 'request_too_large'] as const)
      : []),
    ...(signedIn ? (['missing_or_malformed_credential', 'invalid_credential'] as const) : []),
    ...(role === 'admin' || role === 'owner' ? (['insufficient_role'] as const) : []),
    ...(isChange ? (['cross_site_request'] as const) : []),
    ...(path.includes('{') ? (['not_found'] as const) : []),
    ...(repeatable ? (['idempotency_key_reused', 'idempotency_conflict'] as const) : []),
    ...errors,
    'rate_limit_exceeded',
    'internal_error',
    'overloaded',
  ]);
}

const errorResponse = (status: number, codes: readonly ErrorCode[]): Schema => ({
  description: [titles[status] ?? '', '', ...codes.map(described)].join('\n'),
  headers: {
    ...responseHeaders,
    ...(RETRYABLE.has(status) && retryHeaders),
    ...(status === 429 && rateHeaders),
  },
  content: {
    'application/problem+json': {
      schema: { $ref: '#/components/schemas/Problem' },
      examples: Object.fromEntries(codes.map((code) => [code, { value: problem(code) }])),
    },
  },
});

const described = (code: ErrorCode): string => {
  const { meaning, remedy } = definitionOf(code);
  return `- \`${code}\`: ${meaning.replace('Management API only: ', '')} ${remedy}`;
};

const problem = (code: ErrorCode): unknown =>
  JSON.parse(serializeManagementError(new FerryError(code), REQUEST_ID).body);
