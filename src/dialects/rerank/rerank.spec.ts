import { describe, expect, test } from '@jest/globals';
import { readRerank } from './envelope.js';

const requesting = { model: 'reranker', query: 'a question', documents: ['a text', { text: 'another text' }] };

describe('a rerank request', () => {
  test('a rerank request has a query and documents', () => {
    expect(readRerank({ ...requesting, top_n: 1, return_documents: true })).toMatchObject({
      envelope: { dialect: 'rerank', model: 'reranker', stream: false, documents: 2 },
      promptBytes: 'a question'.length + 'another text'.length,
    });
  });

  test.each<[string, object, string]>([
    ['no query', { query: undefined }, 'query'],
    ['no documents', { documents: [] }, 'documents'],
    ['a document without text', { documents: ['a', { title: 'b' }] }, 'documents[1]'],
    ['half a document to return', { top_n: 0.5 }, 'top_n'],
    ['no document to return', { top_n: 0 }, 'top_n'],
  ])('a rerank request is refused with %s', (_, fields, param) => {
    expect(() => readRerank({ ...requesting, ...fields })).toThrow(expect.objectContaining({ status: 400, param }));
  });
});
