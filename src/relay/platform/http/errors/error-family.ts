import type { Protocol } from '../../../../dialects/protocol.js';
import { allProtocols } from '../../../../dialects/protocols.js';
import type { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { serializeManagementError } from './management-error.js';
import { serializeOpenAiError, openAiErrorBody } from './openai-error.js';
import { type SerializedError, errorHeaders, JSON_TYPE, serializePlainText } from './serialized-error.js';
import { anthropicErrorBody } from '../../../../dialects/messages/error-body.js';
import { responsesErrorType } from '../../../../dialects/responses/error-type.js';

/** The envelope of responses: OpenAI's, with the types of OpenResponses (docs/reference/client-protocols.md#common-http). */
export function serializeOpenResponsesError(error: FerryError, requestId: string): SerializedError {
  return (
    serializePlainText(error) ?? {
      status: error.status,
      headers: errorHeaders(error, JSON_TYPE),
      body: JSON.stringify(openResponsesErrorBody(error, requestId)),
    }
  );
}

function openResponsesErrorBody(error: FerryError, requestId: string): ReturnType<typeof openAiErrorBody> {
  const body = openAiErrorBody(error, requestId);
  return { ...body, error: { ...body.error, type: responsesErrorType(error) } };
}

export function serializeAnthropicError(error: FerryError, requestId: string): SerializedError {
  return (
    serializePlainText(error) ?? {
      status: error.status,
      headers: errorHeaders(error, JSON_TYPE),
      body: JSON.stringify(anthropicErrorBody(error, requestId)),
    }
  );
}

export type ErrorSerializer = (error: FerryError, requestId: string) => SerializedError;

/** Of the formats that inference protocols have. */
export const serializers: Readonly<Record<Protocol['errors'], ErrorSerializer>> = {
  openai: serializeOpenAiError,
  openresponses: serializeOpenResponsesError,
  anthropic: serializeAnthropicError,
};

/** The error bodies that clients of a URL expect, for failures outside of any controller. */
export function serializerFor(url: string): ErrorSerializer {
  const path = url.split('?', 1)[0] ?? '';
  const protocol = allProtocols.find((candidate) => isBelow(path, candidate.path));
  if (protocol !== undefined) return serializers[protocol.errors];
  return isBelow(path, '/api') || isBelow(path, '/link') ? serializeManagementError : serializeOpenAiError;
}

const isBelow = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}/`);
