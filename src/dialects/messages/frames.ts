/**
 * The bytes of a messages stream, whoever writes them (docs/reference/client-protocols.md#messages,
 * docs/reference/stream-transport.md#errors-inside-a-stream). Official clients go by the event's name alone.
 */
import type { FerryError } from '../../kernel/errors/ferry-error.js';
import { anthropicErrorBody } from './error-body.js';

export const messagesEvent = (event: { readonly type: string }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** An event that every client knows and skips: allowed at any time, also before `message_start`, so failover stays possible after it. */
export const messagesKeepAlive: Uint8Array = Buffer.from(messagesEvent({ type: 'ping' }));

/** The last event of a stream that failed. No `message_stop` follows: clients take its absence for what it is. */
export const messagesErrorFrame = (error: FerryError, requestId: string): Uint8Array =>
  Buffer.from(messagesEvent(anthropicErrorBody(error, requestId)));
