import { allDialects, dialects, type Dialect } from '../kernel/dialect.js';
import { chatProtocol } from './chat/protocol.js';
import { completionsProtocol } from './completions/protocol.js';
import { messagesCountProtocol } from './count-tokens/messages-count.js';
import { responsesCountProtocol } from './count-tokens/responses-count.js';
import { embeddingsProtocol } from './embeddings/protocol.js';
import { messagesProtocol } from './messages/protocol.js';
import type { Protocol } from './protocol.js';
import { rerankProtocol } from './rerank/protocol.js';
import { responsesProtocol } from './responses/protocol.js';

/** The inference protocols, by the name of their dialect. Nodes do not load this: it would bring them the relay's documents. */
export const protocols: Readonly<Record<Dialect, Protocol>> = {
  chat: chatProtocol,
  completions: completionsProtocol,
  responses: responsesProtocol,
  messages: messagesProtocol,
  'messages-count': messagesCountProtocol,
  'responses-count': responsesCountProtocol,
  embeddings: embeddingsProtocol,
  rerank: rerankProtocol,
};

/** In the order of documents and metrics; those of extensions are last. */
export const allProtocols: readonly Protocol[] = allDialects.map((dialect) => protocols[dialect]);

/** Those of the public contract, which every account has. */
export const contractProtocols: readonly Protocol[] = dialects.map((dialect) => protocols[dialect]);
