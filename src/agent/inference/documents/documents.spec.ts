import { describe, expect, it } from '@jest/globals';
import { openHead } from '../../../../test/support/link/link-pair.js';
import { EmbeddingsExchange } from './embeddings-exchange.js';
import { RerankExchange } from './rerank-exchange.js';

const embeddings = (request: object): EmbeddingsExchange => {
  const body = Buffer.from(JSON.stringify({ model: 'minilm', ...request }));
  return new EmbeddingsExchange(body, { ...openHead(body.length), dialect: 'embeddings', public_model: 'minilm' });
};
const responding = (data: string, more = ',"usage":{"prompt_tokens":4,"total_tokens":4}'): Buffer =>
  Buffer.from(`{"object":"list","data":${data},"model":"/secret/path.gguf"${more}}`);
const two = '[{"index":0,"embedding":[0.10,-1e-7]},{"index":1,"embedding":[12345678901234567890,2]}]';

describe('embeddings of an engine', () => {
  it('keep every digit, and lose only the path of the model', () => {
    const exchange = embeddings({ input: ['a', 'b'] });
    expect(exchange.document(responding(two)).toString()).toBe(
      `{"object":"list","data":${two},"model":"minilm","usage":{"prompt_tokens":4,"total_tokens":4}}`,
    );
    expect(exchange.usage).toMatchObject({ input_tokens: 4, output_tokens: 0, source: 'engine' });
  });

  it('pass as base64 where the engine has it', () => {
    const data = '[{"index":0,"embedding":"AACAPwAAAEA="}]';
    const document = embeddings({ input: 'a', encoding_format: 'base64' }).document(responding(data));
    expect(document.toString()).toContain(data);
  });

  it('become base64 for a client that asked for it, where the engine has numbers only', () => {
    const data = '[{"index":0,"embedding":[1, 2.0]}]';
    const document = embeddings({ input: 'a', encoding_format: 'base64' }).document(responding(data));
    expect(JSON.parse(document.toString())).toMatchObject({ data: [{ embedding: 'AACAPwAAAEA=' }] });
  });

  it('are brought into the order of the inputs', () => {
    const data = '[{"index":1,"embedding":[1.10]},{"index":0,"embedding":[0.10]}]';
    const document = embeddings({ input: ['a', 'b'] })
      .document(responding(data))
      .toString();
    expect(document).toContain('"data":[{"index":0,"embedding":[0.10]},{"index":1,"embedding":[1.10]}]');
  });

  it('without usage are metered without figures', () => {
    const exchange = embeddings({ input: [1, 2, 3] });
    exchange.document(responding('[{"embedding":[1]}]', ''));
    expect(exchange.usage).toBeNull();
  });

  it.each<[string, string]>([
    ['too few vectors', '[{"index":0,"embedding":[1]}]'],
    ['the same index twice', '[{"index":1,"embedding":[1]},{"index":1,"embedding":[1]}]'],
    ['an element without a vector', '[{"index":0,"embedding":[1]},{"index":1}]'],
    ['no list', '{}'],
  ])('with %s are an error of the engine', (_, data) => {
    expect(() => embeddings({ input: ['a', 'b'] }).document(responding(data))).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code: 'engine_error' }) }),
    );
  });
});

describe('reranking by an engine', () => {
  const exchange = (): RerankExchange => {
    const body = Buffer.from('{"model":"r","query":"q","documents":["a","b"]}');
    return new RerankExchange(body, { ...openHead(body.length), dialect: 'rerank', public_model: 'r' });
  };

  it('keeps the digits of its scores, and counts its tokens', () => {
    const results = '[{"index":1,"relevance_score":0.10},{"index":0,"relevance_score":-3e-7}]';
    const reranked = exchange();
    const document = reranked.document(Buffer.from(`{"results":${results},"usage":{"total_tokens":7}}`)).toString();
    expect(document).toBe(`{"model":"r","results":${results},"usage":{"total_tokens":7}}`);
    expect(reranked.usage).toMatchObject({ input_tokens: 7 });
  });

  it.each<[string, string]>([
    ['a document that was not sent', '[{"index":2,"relevance_score":1}]'],
    ['a document twice', '[{"index":0,"relevance_score":1},{"index":0,"relevance_score":1}]'],
    ['no score', '[{"index":0}]'],
    ['no list', '{}'],
  ])('with %s is an error of the engine', (_, results) => {
    expect(() => exchange().document(Buffer.from(`{"results":${results}}`))).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code: 'engine_error' }) }),
    );
  });
});
