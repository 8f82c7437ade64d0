/**
 * The error envelope of the OpenAI family: chat, completions, responses and the inventory
 * (docs/reference/client-protocols.md#common-http).
 */
import { openaiTypeOf, shownCodeOf } from '../kernel/errors/error-types.js';
import type { FerryError } from '../kernel/errors/ferry-error.js';

interface OpenAiError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string;
}

export const openAiError = (error: FerryError): OpenAiError => ({
  message: error.message,
  type: openaiTypeOf(error),
  param: error.param,
  code: shownCodeOf(error),
});
