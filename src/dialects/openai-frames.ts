/** Frames that the relay writes into streams of chat and completions: keep-alive and error. */
import type { FerryError } from '../kernel/errors/ferry-error.js';
import { openAiError } from './openai-error.js';

/** A comment, which is not an event for clients, so failover stays possible after it (docs/reference/api-behaviour.md#sse-format). */
export const keepAliveComment: Uint8Array = Buffer.from(': keep-alive\n\n');

/**
 * The last event of a failed stream (docs/reference/stream-transport.md#errors-inside-a-stream). No `[DONE]` follows, which would mean
 * success.
 */
export const openAiErrorFrame = (error: FerryError): Uint8Array =>
  Buffer.from(`data: ${JSON.stringify({ error: openAiError(error) })}\n\n`);
