import type { ProtocolDocument } from '../../document.js';
import { chatRequestSchemas } from './chat-request-schemas.js';
import { chatResponseSchemas } from './chat-response-schemas.js';
import { chatResponses, chatRequests, chatStream } from './chat-examples.js';

export const chatDocument: ProtocolDocument = {
  operationId: 'createChatCompletion',
  tag: 'Chat Completions',
  about: "Conversations in OpenAI's Chat Completions format.",
  summary: 'Create a chat completion',
  description:
    'OpenAI Chat Completions. With `"stream": true` the response is a series of `data:` events with chunks and ends with `data: [DONE]`. A failed stream ends with an `error` event instead, so received chunks do not imply success.',
  schemas: { request: 'ChatRequest', answer: 'ChatCompletion', event: 'ChatStreamEvent' },
  components: { ...chatRequestSchemas, ...chatResponseSchemas },
  requests: chatRequests,
  answers: chatResponses,
  stream: chatStream,
};
