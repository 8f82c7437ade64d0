import {
  anyOf,
  integer,
  list,
  literal,
  number,
  object,
  oneOfTexts,
  optional,
  ref,
  text,
  whole,
  type Schema,
} from '../../schema.js';

const tokens = list(integer());

export const embeddingsSchemas: Readonly<Record<string, Schema>> = {
  EmbeddingsRequest: object(
    {
      model: text('An `id` or `selector` from `GET /v1/models` of a model that embeds.'),
      input: anyOf(
        [text(), list(text()), tokens, list(tokens)],
        'One text, a list of texts, one text as tokens, or a list of such. Tokens are those of the model. Not empty.',
      ),
      ...optional({
        encoding_format: oneOfTexts(['float', 'base64'], 'Default `float`. `base64`: 32-bit floats, little-endian.'),
        dimensions: integer('Length of the vectors, where engine and model can shorten them.'),
        user: text(),
      }),
    },
    ['model', 'input'],
    'Fields not listed here are passed to the engine unchanged, which accepts, ignores or refuses them.',
  ),
  Embeddings: object(
    {
      object: literal('list'),
      data: list(ref('Embedding'), 'One for each input, in their order.'),
      model: text('The id or selector in the request.'),
      usage: whole({ prompt_tokens: integer(), total_tokens: integer() }),
    },
    ['object', 'data', 'model'],
  ),
  Embedding: object(
    {
      object: literal('embedding'),
      index: integer('Position of its input.'),
      embedding: anyOf([list(number()), text('With `"encoding_format": "base64"`.')]),
    },
    ['index', 'embedding'],
  ),
};
