import { openaiTypeOf, shownCodeOf } from '../../../../kernel/errors/error-types.js';
import type { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { errorHeaders, JSON_TYPE, serializePlainText, type SerializedError } from './serialized-error.js';

/**
 * The envelope of models, chat and completions, as a response body and inside a stream (docs/reference/client-protocols.md#common-http).
 */
export const openAiErrorBody = (error: FerryError, requestId: string) => ({
  error: {
    message: error.message,
    type: openaiTypeOf(error),
    param: error.param,
    code: shownCodeOf(error),
  },
  request_id: requestId,
});

export function serializeOpenAiError(error: FerryError, requestId: string): SerializedError {
  return (
    serializePlainText(error) ?? {
      status: error.status,
      headers: errorHeaders(error, JSON_TYPE),
      body: JSON.stringify(openAiErrorBody(error, requestId)),
    }
  );
}
