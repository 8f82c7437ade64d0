import { responsesErrorType } from '../../../../dialects/responses/error-type.js';
import type { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { openAiErrorBody } from './openai-error.js';
import { errorHeaders, JSON_TYPE, serializePlainText, type SerializedError } from './serialized-error.js';

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
