/** Descriptions of the four inference routes. */
import { chatAnswers, chatRequests, chatStream } from './chat/chat-examples.js';
import { completionsAnswers, completionsRequests, completionsStream } from './completions/completions-examples.js';
import { messagesAnswers, messagesRequests, messagesStream } from './messages/messages-examples.js';
import type { InferenceRoute } from './operation.js';
import { responsesAnswers, responsesRequests, responsesStream } from './responses/responses-examples.js';

interface RouteDescription extends Omit<InferenceRoute, 'samples'> {
  /** Of the tag. */
  readonly about: string;
}

export const inferenceRoutes = {
  '/v1/chat/completions': {
    operationId: 'createChatCompletion',
    tag: 'Chat Completions',
    about: "Conversations in OpenAI's Chat Completions format.",
    summary: 'Create a chat completion',
    description:
      'OpenAI Chat Completions. With `"stream": true` the response is a series of `data:` events with chunks and ends with `data: [DONE]`. A failed stream ends with an `error` event instead, so received chunks do not imply success.',
    errors: 'openai',
    schemas: { request: 'ChatRequest', answer: 'ChatCompletion', event: 'ChatStreamEvent' },
    requests: chatRequests,
    answers: chatAnswers,
    stream: chatStream,
  },
  '/v1/completions': {
    operationId: 'createCompletion',
    tag: 'Completions (legacy)',
    about: 'Legacy text completions.',
    summary: 'Complete a text',
    description:
      'Legacy text completions, served by engines that have this route. Prefer Chat Completions or Responses for conversations.',
    errors: 'openai',
    schemas: { request: 'CompletionRequest', answer: 'Completion', event: 'CompletionStreamEvent' },
    requests: completionsRequests,
    answers: completionsAnswers,
    stream: completionsStream,
  },
  '/v1/responses': {
    operationId: 'createResponse',
    tag: 'Responses',
    about: 'OpenResponses, with conversations that can be continued by id.',
    summary: 'Create a response',
    description:
      'OpenResponses. With `"stream": true` the response is a series of named events whose `sequence_number` has no gaps. It ends with `response.completed`, `response.incomplete` or `response.failed`, and then `data: [DONE]`.',
    errors: 'openresponses',
    schemas: { request: 'ResponsesRequest', answer: 'Response', event: 'ResponsesStreamEvent' },
    requests: responsesRequests,
    answers: responsesAnswers,
    stream: responsesStream,
  },
  '/v1/messages': {
    operationId: 'createMessage',
    tag: 'Messages',
    about: "Conversations in Anthropic's Messages format.",
    summary: 'Create a message',
    description:
      'Anthropic Messages. With `"stream": true` the response is a series of named events from `message_start` to `message_stop`, or `error` after a failure. There is no `[DONE]`. Pass the key as `authToken` / `ANTHROPIC_AUTH_TOKEN`; `x-api-key` is not accepted.',
    errors: 'anthropic',
    schemas: { request: 'MessagesRequest', answer: 'Message', event: 'MessagesStreamEvent' },
    requests: messagesRequests,
    answers: messagesAnswers,
    stream: messagesStream,
  },
} as const satisfies Readonly<Record<string, RouteDescription>>;

export type InferencePath = keyof typeof inferenceRoutes;
export type PublicPath = InferencePath | '/v1/models';
