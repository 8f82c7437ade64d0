/** The error answers of an operation, one per status, with every code that it can carry. */
import { anthropicErrorBody } from '../../../../dialects/messages/error-body.js';
import { openAiError } from '../../../../dialects/openai-error.js';
import type { Protocol } from '../../../../dialects/protocol.js';
import { responsesTypeOf } from '../../../../dialects/responses/error-type.js';
import type { Schema } from '../../../../dialects/schema.js';
import { definitionOf, errorCatalogue, type ErrorCode } from '../../../../kernel/errors/error-catalogue.js';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { responseHeaders, noNodeHeaders, retryHeaders } from '../headers.js';
import { extensionCodes, managementCodes } from './management-codes.js';

/**
 * The family of an operation's error bodies. Those of responses are OpenAI's with two other types; those of the inventory are OpenAI's
 * without the errors of nodes.
 */
type ErrorFamily = Protocol['errors'] | 'inventory';

const titlesOfFamilies: Readonly<Record<ErrorFamily, string>> = {
  openai: 'OpenAI',
  openresponses: 'OpenResponses',
  anthropic: 'Anthropic',
  inventory: 'Inventory',
};

const titles = {
  400: 'Invalid parameters, or a capability that the model lacks.',
  401: 'Missing, invalid, expired or revoked credential.',
  403: 'The key is valid but lacks the permission, or a user of the account stopped the request.',
  404: 'Unknown model, cluster, response or route.',
  413: 'The body exceeds 16 MiB.',
  429: 'A limit is reached, or every node is busy.',
  500: 'A bug in the relay.',
  503: 'No eligible node, or a failure during the request.',
} as const;
type Status = keyof typeof titles;

/** An engine's own refusal keeps these statuses (docs/reference/api-behaviour.md#error-bodies). */
const engineStatuses: readonly Status[] = [400, 404, 413, 429];

const inventoryCodes: readonly ErrorCode[] = [
  'missing_or_malformed_credential',
  'invalid_credential',
  'insufficient_scope',
  'cluster_not_allowed',
  'cluster_not_found',
  'invalid_request',
  'rate_limit_exceeded',
  'overloaded',
  'draining',
  'internal_error',
];

/** No route can answer with these: unknown paths and the management API do. */
const neverHere: readonly ErrorCode[] = ['route_not_found', ...managementCodes, ...extensionCodes];

const REQUEST_ID = 'req_5Q2n7TzV0aLkR8sWxY3bUc';

const statusesOf = (family: ErrorFamily): readonly Status[] =>
  (Object.keys(titles) as unknown[])
    .map((key) => Number(key) as Status)
    .filter((status) => codesOf(status, family).length > 0);

const nameOf = (family: ErrorFamily, status: Status): string => `${titlesOfFamilies[family]}${status}`;

/** The responses of an operation, by status. */
export const errorReferences = (family: ErrorFamily): Schema =>
  Object.fromEntries(
    statusesOf(family).map((status) => [status, { $ref: `#/components/responses/${nameOf(family, status)}` }]),
  );

/** What an operation of an extension can also answer with. */
export const notImplementedResponse = (family: Protocol['errors']): Schema => ({
  501: {
    description: `The engine cannot do it.\n\n${described('not_implemented')}`,
    headers: responseHeaders,
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${family === 'anthropic' ? 'AnthropicError' : 'OpenAIError'}` },
        examples: { not_implemented: { value: body(family, 'not_implemented', 501) } },
      },
    },
  },
});

export const errorResponseComponents = (): Schema =>
  Object.fromEntries(
    (['inventory', 'openai', 'openresponses', 'anthropic'] as const).flatMap((family) =>
      statusesOf(family).map((status) => [
        nameOf(family, status),
        errorResponse(status, family, codesOf(status, family)),
      ]),
    ),
  );

function codesOf(status: Status, family: ErrorFamily): readonly ErrorCode[] {
  const all = Object.keys(errorCatalogue) as ErrorCode[];
  const candidates = family === 'inventory' ? inventoryCodes : all.filter((code) => !neverHere.includes(code));
  const own = candidates.filter((code) => definitionOf(code).status === status);
  const engine = family !== 'inventory' && status !== 400 && engineStatuses.includes(status);
  return engine ? [...own, 'engine_rejected_request'] : own;
}

function errorResponse(status: Status, family: ErrorFamily, codes: readonly ErrorCode[]): Schema {
  const plain = codes.flatMap((code) => definitionOf(code).plainText ?? []);
  const inJson = codes.filter((code) => definitionOf(code).plainText === undefined);
  return {
    description: [titles[status], '', ...codes.map(described)].join('\n'),
    headers: {
      ...responseHeaders,
      ...(status !== 401 && status !== 403 && retryHeaders),
      ...(plain.includes('no node for user') && noNodeHeaders),
    },
    content: {
      ...(plain.length > 0 && { 'text/plain': { schema: { type: 'string', enum: plain }, example: plain[0] } }),
      ...(inJson.length > 0 && {
        'application/json': {
          schema: { $ref: `#/components/schemas/${family === 'anthropic' ? 'AnthropicError' : 'OpenAIError'}` },
          examples: Object.fromEntries(inJson.map((code) => [code, { value: body(family, code, status) }])),
        },
      }),
    },
  };
}

const described = (code: ErrorCode): string => {
  const { plainText, meaning, remedy } = definitionOf(code);
  const shown = plainText === undefined ? `\`${code}\`` : `plain text \`${plainText}\``;
  return `- ${shown}: ${meaning} ${remedy}`;
};

function body(family: ErrorFamily, code: ErrorCode, status: number): Schema {
  const error = new FerryError(code, undefined, { status });
  if (family === 'anthropic') return anthropicErrorBody(error, REQUEST_ID);
  const detail = openAiError(error);
  const type = family === 'openresponses' ? responsesTypeOf(detail.type) : detail.type;
  return { error: { ...detail, type }, request_id: REQUEST_ID };
}
