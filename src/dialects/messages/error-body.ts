import { definitionOf } from '../../kernel/errors/error-catalogue.js';
import type { FerryError } from '../../kernel/errors/ferry-error.js';

/** The envelope of messages, as a response body and in `event: error` (wire-protocols §1.1, §5.3). */
export const anthropicErrorBody = (error: FerryError, requestId: string) => ({
  type: 'error',
  error: {
    type: definitionOf(error.code).anthropicType,
    message: error.message,
    // Anthropic's envelope has no place of its own for either.
    details: { error_code: error.code, ...(error.param !== null && { param: error.param }) },
  },
  request_id: requestId,
});
