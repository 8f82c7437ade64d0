import { dialects, type Dialect } from '../kernel/dialect.js';
import { chatProtocol } from './chat/protocol.js';
import { completionsProtocol } from './completions/protocol.js';
import { messagesProtocol } from './messages/protocol.js';
import type { Protocol } from './protocol.js';
import { responsesProtocol } from './responses/protocol.js';

/** The inference protocols, by the name of their dialect. Nodes do not load this: it would bring them the relay's documents. */
export const protocols: Readonly<Record<Dialect, Protocol>> = {
  chat: chatProtocol,
  completions: completionsProtocol,
  responses: responsesProtocol,
  messages: messagesProtocol,
};

/** In the order of documents and metrics. */
export const allProtocols: readonly Protocol[] = dialects.map((dialect) => protocols[dialect]);
