import type { ProtocolDocument } from '../../document.js';
import {
  anyObject,
  anyOf,
  flag,
  integer,
  list,
  number,
  object,
  optional,
  ref,
  text,
  type Schema,
} from '../../schema.js';

const rerankSchemas: Readonly<Record<string, Schema>> = {
  RerankRequest: object(
    {
      model: text('An `id` or `selector` from `GET /v1/models` of a model that reranks.'),
      query: text(),
      documents: list(anyOf([text(), object({ text: text() }, ['text'])])),
      ...optional({
        top_n: integer('Only so many of the best documents. Default: all.'),
        return_documents: flag('Results with the text of the document, where the engine has it.'),
      }),
    },
    ['model', 'query', 'documents'],
    'Fields not listed here are passed to the engine unchanged, which accepts, ignores or refuses them.',
  ),
  Rerank: object(
    {
      model: text('The id or selector in the request.'),
      results: list(ref('RerankResult'), 'In the order of the engine, best first.'),
      usage: anyObject('As the engine reports it.'),
    },
    ['model', 'results'],
  ),
  RerankResult: object(
    {
      index: integer('Position of the document in the request.'),
      relevance_score: number('Comparable within a response only.'),
      document: anyObject(),
    },
    ['index', 'relevance_score'],
  ),
};

export const rerankDocument: ProtocolDocument = {
  operationId: 'createRerank',
  tag: 'Rerank (extension)',
  about: 'Order documents by a query. An extension: served only where the owner of the relay has switched on `rerank`.',
  summary: 'Rerank documents',
  description:
    'Scores of documents for a query, in the format of Jina and Cohere, from engines that have such a route: llama-server with `--reranking`, vLLM and compatible ones.',
  schemas: { request: 'RerankRequest', answer: 'Rerank' },
  components: rerankSchemas,
  requests: {
    texts: {
      summary: 'Two documents',
      value: {
        model: 'bge-reranker-v2-m3',
        query: 'What crosses a river?',
        documents: ['A relay forwards requests.', 'A ferry crosses a river.'],
        top_n: 1,
      },
    },
  },
  answers: {
    texts: {
      summary: 'The best document',
      value: {
        model: 'bge-reranker-v2-m3',
        object: 'list',
        results: [{ index: 1, relevance_score: 4.92 }],
        usage: { prompt_tokens: 24, total_tokens: 24 },
      },
    },
  },
  sample: { model: 'bge-reranker-v2-m3', query: 'What crosses a river?', documents: ['A relay.', 'A ferry.'] },
};
