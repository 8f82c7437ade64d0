/** Error bodies of the two families (docs/reference/api-behaviour.md#error-bodies). */
import { responsesTypeOf } from '../../../../dialects/responses/error-type.js';
import { errorCatalogue, type ErrorCode } from '../../../../kernel/errors/error-catalogue.js';
import {
  anyObject,
  anyOf,
  list,
  literal,
  nullable,
  object,
  oneOfTexts,
  ref,
  text,
  whole,
  type Schema,
} from '../../../../dialects/schema.js';
import { extensionCodes, managementCodes } from './management-codes.js';

const elsewhere: readonly ErrorCode[] = [...managementCodes, ...extensionCodes];
const definitions = Object.entries(errorCatalogue).filter(([code]) => !elsewhere.includes(code as ErrorCode));
const jsonDefinitions = definitions.filter(([, definition]) => !('plainText' in definition));
const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)].sort();

/** A client knows the codes of its engine better than ours. */
const errorCode = anyOf([
  ref('ErrorCode'),
  text("An engine's own code, where the engine refused the request and gave one."),
]);

const requestId = text('Same value as the header `x-request-id`.');

export const errorSchemas: Readonly<Record<string, Schema>> = {
  ErrorCode: oneOfTexts(
    jsonDefinitions.map(([code]) => code),
    'Machine-readable error code. New codes may be added; fall back to the status for an unknown one.',
  ),
  OpenAIErrorDetail: whole({
    message: text('Human-readable message. If an engine refused the request, it is quoted here.'),
    type: oneOfTexts(
      distinct(jsonDefinitions.flatMap(([, { openaiType }]) => [openaiType, responsesTypeOf(openaiType)])),
      'The Responses API uses `too_many_requests` where the other routes use `rate_limit_error`. A 404 is always `not_found_error`.',
    ),
    param: nullable(text('Path of the invalid field, such as `messages[0].content`.')),
    code: errorCode,
  }),
  OpenAIError: object(
    { error: { $ref: '#/components/schemas/OpenAIErrorDetail' }, request_id: requestId },
    ['error', 'request_id'],
    'Errors of models, chat completions, completions and responses.',
  ),
  AnthropicError: object(
    {
      type: literal('error'),
      error: object(
        {
          type: oneOfTexts(distinct(jsonDefinitions.map(([, { anthropicType }]) => anthropicType))),
          message: text(),
          details: {
            ...anyObject('Equivalents of `code` and `param` in the OpenAI format.'),
            properties: {
              error_code: errorCode,
              param: text(),
              unsupported: list(
                text(),
                'Fields without which the request is accepted. The SDKs repeat it without them.',
              ),
            },
          },
        },
        ['type', 'message'],
      ),
      request_id: requestId,
    },
    ['type', 'error', 'request_id'],
    'Errors of messages, as a response body or as the event `error`.',
  ),
};
