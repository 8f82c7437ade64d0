import type { ProtocolDocument } from '../../document.js';
import { embeddingsRequests, embeddingsResponses } from './embeddings-examples.js';
import { embeddingsSchemas } from './embeddings-schemas.js';

export const embeddingsDocument: ProtocolDocument = {
  operationId: 'createEmbeddings',
  tag: 'Embeddings (extension)',
  about: 'Vectors of texts. An extension: served only where the owner of the relay has switched on `embeddings`.',
  summary: 'Embed texts',
  description:
    'Vectors of one or several texts, as the engine computes them. A long list is divided over the computers that have the model loaded; the vectors come back in the order of the list, and `usage` is that of all parts.',
  schemas: { request: 'EmbeddingsRequest', answer: 'Embeddings' },
  components: embeddingsSchemas,
  requests: embeddingsRequests,
  answers: embeddingsResponses,
  sample: { model: 'all-minilm', input: ['A relay forwards requests.', 'A ferry crosses a river.'] },
};
