/**
 * `POST /v1/completions` (docs/reference/public-api.md#text-completion, docs/reference/public-api.md#create-a-text-completion;
 * docs/reference/client-protocols.md#text-completions).
 */
import {
  anyObject,
  anyOf,
  flag,
  integer,
  list,
  literal,
  nullable,
  number,
  object,
  oneOfTexts,
  optional,
  ref,
  text,
} from '../../schema.js';
import type { Schema } from '../../schema.js';

const choice = (finishReason: Schema): Schema =>
  object({ index: integer(), text: text(), logprobs: nullable(anyObject()), finish_reason: finishReason }, [
    'index',
    'text',
  ]);

const finishReason = nullable(oneOfTexts(['stop', 'length', 'content_filter']));

export const completionsSchemas: Readonly<Record<string, Schema>> = {
  CompletionRequest: object(
    {
      model: text(
        'An `id` or `selector` from `GET /v1/models`. A display name shared by models with the same canonical name selects any of them.',
      ),
      prompt: text('One text. Lists of prompts or tokens are not supported.'),
      ...optional({
        stream: flag('True: Server-Sent Events.'),
        max_tokens: integer('Maximum number of tokens to generate.'),
        temperature: number(),
        top_p: number(),
        stop: anyOf([text(), list(text())], 'One or several stop sequences.'),
      }),
    },
    ['model', 'prompt'],
    'Fields not listed here are passed to the engine unchanged, which accepts, ignores or refuses them.',
  ),
  Completion: object(
    {
      id: text(),
      object: literal('text_completion'),
      created: integer('Unix seconds.'),
      model: text('The id or selector in the request.'),
      choices: list(
        choice(finishReason),
        'In a stream: the next fragment of the text. Empty in the chunk with `usage`.',
      ),
      usage: nullable(ref('TokenUsage')),
    },
    ['id', 'object', 'created', 'model', 'choices'],
    'A complete response, or a chunk of a stream.',
  ),
  CompletionStreamEvent: {
    description: 'The `data` of one event. A successful stream ends with the literal `data: [DONE]`.',
    anyOf: [ref('Completion'), ref('OpenAIStreamError')],
  },
};
