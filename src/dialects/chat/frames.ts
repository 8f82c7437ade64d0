/** What the relay itself writes into a chat stream: a sign of life, and the truth when it could not finish (wire-protocols §5.3). */
import type { FerryError } from '../../kernel/errors/ferry-error.js';
import { openAiError } from '../openai-error.js';

/** A comment: no client sees an event, so failover stays possible after it (design §4). */
export const chatKeepAlive: Uint8Array = Buffer.from(': keep-alive\n\n');

/** The last event of a stream that failed. No `[DONE]` follows: clients read that as success. */
export const chatErrorFrame = (error: FerryError): Uint8Array =>
  Buffer.from(`data: ${JSON.stringify({ error: openAiError(error) })}\n\n`);
