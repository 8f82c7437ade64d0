import { describe, expect, test } from '@jest/globals';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { divideEmbeddings, inputsPerPart } from './batch.js';
import { readEmbeddings } from './envelope.js';

const requesting = { model: 'minilm', input: 'a text' };
const usage = { prompt_tokens: 9, total_tokens: 9 };

const refusal = (json: unknown): FerryError => {
  try {
    readEmbeddings(json);
  } catch (error) {
    if (error instanceof FerryError) return error;
  }
  throw new Error('nothing was refused');
};

describe('an embeddings request', () => {
  test.each<[string, unknown, number]>([
    ['a text', 'a text', 1],
    ['a list of texts', ['a', 'b', 'c'], 3],
    ['the tokens of one text', [1, 2, 3], 1],
    ['lists of tokens', [[1, 2], [3]], 2],
  ])('an embeddings request may have %s as its input', (_, input, inputs) => {
    expect(readEmbeddings({ ...requesting, input }).envelope).toEqual({
      dialect: 'embeddings',
      model: 'minilm',
      stream: false,
      inputs,
    });
  });

  test('an embeddings request may have the fields of the official clients, and fields that only engines know', () => {
    const fields = { encoding_format: 'base64', dimensions: 256, user: 'me', truncate: true, stream: true };
    expect(readEmbeddings({ ...requesting, ...fields }).envelope).toMatchObject({ stream: false });
    expect(
      readEmbeddings({ ...requesting, encoding_format: null, dimensions: null, user: null }).envelope,
    ).toMatchObject({ inputs: 1 });
  });

  test('the size of its prompt is that of its longest text', () => {
    expect(readEmbeddings({ ...requesting, input: ['a', 'four', 'é'] }).promptBytes).toBe(4);
    expect(readEmbeddings({ ...requesting, input: [[1, 2, 3], [1]] }).promptBytes).toBe(12);
  });

  test.each<[string, object, string]>([
    ['no model', { model: undefined }, 'model'],
    ['no input', { input: undefined }, 'input'],
    ['an empty text', { input: '' }, 'input'],
    ['an empty list', { input: [] }, 'input'],
    ['an empty text in a list', { input: ['a', ''] }, 'input[1]'],
    ['texts mixed with tokens', { input: ['a', 7] }, 'input[1]'],
    ['tokens mixed with texts', { input: [7, 'a'] }, 'input[1]'],
    ['lists of tokens mixed with texts', { input: [[7], 'a'] }, 'input[1]'],
    ['an empty list of tokens', { input: [[7], []] }, 'input[1]'],
    ['a negative token', { input: [[7, -1]] }, 'input[0][1]'],
    ['half a token', { input: [1.5] }, 'input[0]'],
    ['an unknown format', { encoding_format: 'hex' }, 'encoding_format'],
    ['no dimensions', { dimensions: 0 }, 'dimensions'],
    ['a user that is no text', { user: 7 }, 'user'],
  ])('an embeddings request is refused with %s', (_, fields, param) => {
    expect(refusal({ ...requesting, ...fields })).toMatchObject({ code: 'invalid_request', status: 400, param });
  });

  test('a chat request to the route of embeddings is told the route of chat', () => {
    expect(refusal({ model: 'm', messages: [] }).message).toContain('/v1/chat/completions');
  });
});

const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
const bodyOf = (input: unknown): Buffer => Buffer.from(JSON.stringify({ model: 'm', input, user: 'me' }));
const responseOf = (vectors: readonly string[], tokens: number): Buffer =>
  Buffer.from(
    `{"object":"list","data":[${vectors.map((vector, index) => `{"index":${index},"embedding":${vector}}`).join(', ')}],` +
      `"model":"m","usage":{"prompt_tokens":${tokens},"total_tokens":${tokens}}}`,
  );

describe('a divided embeddings request', () => {
  test('a list is divided by the nodes that could share it, into parts worth a request', () => {
    expect(inputsPerPart(10_000, 3)).toBe(128);
    expect(inputsPerPart(100, 3)).toBe(17);
    expect(inputsPerPart(20, 8)).toBe(16);
  });

  test.each<[string, unknown, number, number]>([
    ['one text', 'a', 1, 3],
    ['the tokens of one text', Array.from({ length: 500 }, (_, index) => index), 1, 3],
    ['a short list', ['a', 'b'], 2, 3],
    ['a list for one node', texts, 40, 1],
  ])('%s is not divided', (_, input, inputs, nodes) => {
    expect(divideEmbeddings(bodyOf(input), inputs, nodes)).toBeUndefined();
  });

  test('each part is the request with some of its inputs, byte for byte', () => {
    const spelled = `[${texts.map((text) => JSON.stringify(text)).join(' ,\n')}]`;
    const body = Buffer.from(`{ "user":"\\u006de", "input": ${spelled}, "seed": 9223372036854775807 }`);
    const parts = divideEmbeddings(body, texts.length, 2)?.parts.map((part) => part().toString()) ?? [];
    expect(parts).toHaveLength(3);
    expect(parts.flatMap((part) => (JSON.parse(part) as { input: string[] }).input)).toEqual(texts);
    for (const part of parts) {
      expect(part.startsWith('{ "user":"\\u006de", "input": ["text')).toBe(true);
      expect(part.endsWith('], "seed": 9223372036854775807 }')).toBe(true);
    }
  });

  test('the responses are joined in order, with the digits of each vector and the usage of all', () => {
    const divided = divideEmbeddings(bodyOf(texts), texts.length, 2);
    const responses = [16, 16, 8].map((count, part) =>
      responseOf(
        Array.from({ length: count }, (_, index) => `[${part}.10,${index}e-7]`),
        part,
      ),
    );
    const joined = Buffer.concat(divided?.join(responses, usage) ?? []).toString();
    const { data, ...rest } = JSON.parse(joined) as { data: { index: number; embedding: number[] }[] };
    expect(rest).toEqual({ object: 'list', model: 'm', usage });
    expect(data.map(({ index }) => index)).toEqual(texts.map((_, index) => index));
    expect(data[17]?.embedding).toEqual([1.1, 1e-7]);
    expect(joined).toContain('"embedding":[2.10,7e-7]');
  });

  test.each<[string, Buffer]>([
    ['fewer vectors', responseOf(['[1]'], 1)],
    ['no list', Buffer.from('{"data":{}}')],
    ['no JSON', Buffer.from('<html>')],
  ])('a part whose response has %s fails the request', (_, wrong) => {
    const divided = divideEmbeddings(bodyOf(texts), texts.length, 2);
    const right = responseOf(
      Array.from({ length: 16 }, () => '[1]'),
      1,
    );
    expect(() => divided?.join([right, wrong, wrong], usage)).toThrow(/vectors|JSON/);
  });
});
