/**
 * Converts a failure to the format of a responses stream (docs/reference/client-protocols.md#responses,
 * docs/reference/stream-transport.md#errors-inside-a-stream).
 */
import type { JsonObject } from '../../kernel/json-object.js';
import { shownCodeOf } from '../../kernel/errors/error-types.js';
import type { FerryError } from '../../kernel/errors/ferry-error.js';
import { openAiError } from '../openai-error.js';
import { responsesErrorType } from './error-type.js';
import type { ResponseState } from './resource.js';

/**
 * Fields of the `error` event. Nested for the schema, flat beside it: each client reads one of the two
 * (docs/reference/client-protocols.md#responses).
 */
export function errorEventFields(error: FerryError): JsonObject {
  const { message, param } = error;
  const code = shownCodeOf(error);
  return { code, message, param, error: { type: responsesErrorType(error), code, message, param } };
}

/**
 * `response.error`. Its codes are a closed list in the types of the official SDKs, which strict readers check; the `error` event before has
 * the exact one. Codex reads `context_length_exceeded` here, which is not on the list.
 */
export function responseError(error: FerryError): NonNullable<ResponseState['error']> {
  const { message, type, code } = openAiError(error);
  const codes: Readonly<Record<string, string>> = {
    invalid_request_error: code === 'context_length_exceeded' ? code : 'invalid_prompt',
    rate_limit_error: 'rate_limit_exceeded',
  };
  return { code: codes[type] ?? 'server_error', message };
}
