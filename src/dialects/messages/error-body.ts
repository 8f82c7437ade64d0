import { anthropicTypeOf, shownCodeOf } from '../../kernel/errors/error-types.js';
import type { FerryError } from '../../kernel/errors/ferry-error.js';

/**
 * The envelope of messages, as a response body and in `event: error` (docs/reference/client-protocols.md#common-http,
 * docs/reference/stream-transport.md#errors-inside-a-stream).
 */
export const anthropicErrorBody = (error: FerryError, requestId: string) => ({
  type: 'error',
  error: {
    type: anthropicTypeOf(error),
    message: error.message,
    // Anthropic's envelope has no field for either.
    details: {
      error_code: shownCodeOf(error),
      ...(error.param !== null && { param: error.param }),
      // The tool runners of its SDKs repeat the request without a thread when they see this.
      ...(error.code === 'thread_unsupported_request' && { unsupported: ['thread'] }),
    },
  },
  request_id: requestId,
});
