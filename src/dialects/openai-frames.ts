/** What the relay itself writes into the streams of chat and completions: a sign of life, and the truth when one could not finish. */
import type { FerryError } from '../kernel/errors/ferry-error.js';
import { openAiError } from './openai-error.js';

/** A comment: no client sees an event, so failover stays possible after it (docs/reference/api-behaviour.md#sse-format). */
export const keepAliveComment: Uint8Array = Buffer.from(': keep-alive\n\n');

/**
 * The last event of a stream that failed (docs/reference/stream-transport.md#errors-inside-a-stream). No `[DONE]` follows: clients read
 * that as success.
 */
export const openAiErrorFrame = (error: FerryError): Uint8Array =>
  Buffer.from(`data: ${JSON.stringify({ error: openAiError(error) })}\n\n`);
