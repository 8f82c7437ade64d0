import { definitionOf } from '../../../../kernel/errors/error-catalogue.js';
import type { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { errorHeaders, JSON_TYPE, serializePlainText, type SerializedError } from './serialized-error.js';

/** The envelope of messages, as a response body and in `event: error` (wire-protocols §1.1, §5.3). */
export const anthropicErrorBody = (error: FerryError, requestId: string) => ({
  type: 'error',
  error: { type: definitionOf(error.code).anthropicType, message: error.message, details: { error_code: error.code } },
  request_id: requestId,
});

export function serializeAnthropicError(error: FerryError, requestId: string): SerializedError {
  return (
    serializePlainText(error) ?? {
      status: error.status,
      headers: errorHeaders(error, JSON_TYPE),
      body: JSON.stringify(anthropicErrorBody(error, requestId)),
    }
  );
}
