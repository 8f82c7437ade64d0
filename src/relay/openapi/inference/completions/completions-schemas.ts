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
} from '../schema.js';
import type { Schema } from '../schema.js';

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
        'An `id` or `selector` of `GET /v1/models`. A display name that models of one canonical name share means any of them.',
      ),
      prompt: text('One text; lists of prompts and of tokens are not taken.'),
      ...optional({
        stream: flag('True: Server-Sent Events.'),
        max_tokens: integer('Most tokens to generate.'),
        temperature: number(),
        top_p: number(),
        stop: anyOf([text(), list(text())], 'Text, or texts, at which the answer ends.'),
      }),
    },
    ['model', 'prompt'],
    'Fields not listed here go to the engine as they are; it decides about them.',
  ),
  Completion: object(
    {
      id: text(),
      object: literal('text_completion'),
      created: integer('Unix seconds.'),
      model: text('The id or selector that you asked for.'),
      choices: list(
        choice(finishReason),
        'In a stream: the next part of the text. Empty in the chunk that carries `usage`.',
      ),
      usage: nullable(ref('TokenUsage')),
    },
    ['id', 'object', 'created', 'model', 'choices'],
    'The whole answer, and each chunk of a stream.',
  ),
  CompletionStreamEvent: {
    description: 'The `data` of one event. After the last one of a successful stream comes the literal `data: [DONE]`.',
    anyOf: [ref('Completion'), ref('OpenAIStreamError')],
  },
};
