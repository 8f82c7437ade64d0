import { openAiErrorFrame, keepAliveComment } from '../openai-frames.js';
import type { Protocol } from '../protocol.js';
import type { StreamFormat } from '../stream-format.js';
import { readRerank, type RerankEnvelope } from './envelope.js';

/** Not used: the route has no streams. */
const format: StreamFormat = { keepAlive: keepAliveComment, terminal: openAiErrorFrame };

/** `POST /v1/rerank`, an extension (docs/reference/embeddings.md#rerank). The node uses its engine's own route. */
export const rerankProtocol: Protocol<RerankEnvelope> = {
  dialect: 'rerank',
  extension: 'rerank',
  scope: 'rerank',
  path: '/v1/rerank',
  name: 'reranking',
  errors: 'openai',
  promptField: 'documents',
  read: readRerank,
  conversation: () => ({ instructions: undefined, text: undefined }),
  format: () => format,
  inputs: ({ documents }) => ({ count: documents, field: 'documents' }),
  estimate: null,
  document: async () => (await import('./document/document.js')).rerankDocument,
};
