import type { ProtocolDocument } from '../../document.js';
import { messagesRequestSchemas } from './messages-request-schemas.js';
import { messagesResponseSchemas } from './messages-response-schemas.js';
import { messagesResponses, messagesRequests, messagesStream } from './messages-examples.js';

export const messagesDocument: ProtocolDocument = {
  operationId: 'createMessage',
  tag: 'Messages',
  about: "Conversations in Anthropic's Messages format.",
  summary: 'Create a message',
  description:
    'Anthropic Messages. With `"stream": true` the response is a series of named events from `message_start` to `message_stop`, or `error` after a failure. There is no `[DONE]`. Pass the key as `authToken` / `ANTHROPIC_AUTH_TOKEN`; `x-api-key` is not accepted.',
  schemas: { request: 'MessagesRequest', answer: 'Message', event: 'MessagesStreamEvent' },
  components: { ...messagesRequestSchemas, ...messagesResponseSchemas },
  requests: messagesRequests,
  answers: messagesResponses,
  stream: messagesStream,
  sample: { model: 'tiny', max_tokens: 256, messages: [{ role: 'user', content: 'Hello' }] },
};
