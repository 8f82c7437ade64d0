import { openAiErrorFrame, keepAliveComment } from '../openai-frames.js';
import type { Protocol } from '../protocol.js';
import type { StreamFormat } from '../stream-format.js';
import { divideEmbeddings } from './batch.js';
import { readEmbeddings, type EmbeddingsEnvelope } from './envelope.js';

/** Not used: the route has no streams. */
const format: StreamFormat = { keepAlive: keepAliveComment, terminal: openAiErrorFrame };

/** `POST /v1/embeddings`, an extension (docs/reference/embeddings.md). The node uses its engine's own route. */
export const embeddingsProtocol: Protocol<EmbeddingsEnvelope> = {
  dialect: 'embeddings',
  extension: 'embeddings',
  scope: 'embeddings',
  path: '/v1/embeddings',
  name: 'embeddings',
  errors: 'openai',
  promptField: 'input',
  read: readEmbeddings,
  // Embeddings of one text are not reused for another.
  conversation: () => ({ instructions: undefined, text: undefined }),
  format: () => format,
  inputs: ({ inputs }) => ({ count: inputs, field: 'input' }),
  divide: divideEmbeddings,
  estimate: null,
  document: async () => (await import('./document/document.js')).embeddingsDocument,
};
