/** What the relay itself writes into the streams of chat and completions: a sign of life, and the truth when one could not finish. */
import type { FerryError } from '../kernel/errors/ferry-error.js';
import { openAiError } from './openai-error.js';

/** A comment: no client sees an event, so failover stays possible after it (design §4). */
export const keepAliveComment: Uint8Array = Buffer.from(': keep-alive\n\n');

/** The last event of a stream that failed (wire-protocols §5.3). No `[DONE]` follows: clients read that as success. */
export const openAiErrorFrame = (error: FerryError): Uint8Array =>
  Buffer.from(`data: ${JSON.stringify({ error: openAiError(error) })}\n\n`);
