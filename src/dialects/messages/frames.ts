/**
 * Encoding of messages streams (docs/reference/client-protocols.md#messages,
 * docs/reference/stream-transport.md#errors-inside-a-stream). Official clients dispatch on the event name only.
 */
import { stringifyExact } from '../../kernel/exact-json.js';
import type { FerryError } from '../../kernel/errors/ferry-error.js';
import { anthropicErrorBody } from './error-body.js';

export const messagesEvent = (event: { readonly type: string }): string =>
  `event: ${event.type}\ndata: ${stringifyExact(event)}\n\n`;

/** Ignored by every client and allowed at any time, also before `message_start`, so failover stays possible after it. */
export const messagesKeepAlive: Uint8Array = Buffer.from(messagesEvent({ type: 'ping' }));

/** The last event of a failed stream. Without `message_stop`, clients recognise it as incomplete. */
export const messagesErrorFrame = (error: FerryError, requestId: string): Uint8Array =>
  Buffer.from(messagesEvent(anthropicErrorBody(error, requestId)));
