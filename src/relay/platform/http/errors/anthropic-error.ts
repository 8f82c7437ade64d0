import { anthropicErrorBody } from '../../../../dialects/messages/error-body.js';
import type { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { errorHeaders, JSON_TYPE, serializePlainText, type SerializedError } from './serialized-error.js';

export function serializeAnthropicError(error: FerryError, requestId: string): SerializedError {
  return (
    serializePlainText(error) ?? {
      status: error.status,
      headers: errorHeaders(error, JSON_TYPE),
      body: JSON.stringify(anthropicErrorBody(error, requestId)),
    }
  );
}
