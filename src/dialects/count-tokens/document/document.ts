import type { ProtocolDocument } from '../../document.js';
import { messagesRequestSchemas } from '../../messages/document/messages-request-schemas.js';
import { responsesRequestSchemas } from '../../responses/document/responses-request-schemas.js';
import { integer, literal, whole, type Schema } from '../../schema.js';

const TOKENS = 'Tokens of the prompt, as the engine counts them.';

/** A request that is only counted needs less than one that is answered. */
function requestSchema(schema: Schema | undefined, required: readonly string[]): Schema {
  return {
    ...schema,
    required,
    description: 'As the request that would be answered. What concerns its answer has no effect.',
  };
}

export const messagesCountDocument: ProtocolDocument = {
  operationId: 'countMessageTokens',
  tag: 'Messages',
  about: "Conversations in Anthropic's Messages format.",
  summary: 'Count the tokens of a message',
  description:
    'Returns how many tokens the prompt of a message has. The engine counts: 501 where it cannot, and for images, audio and files. Nothing is generated.',
  schemas: { request: 'MessagesCountRequest', answer: 'MessagesTokenCount' },
  components: {
    MessagesCountRequest: requestSchema(messagesRequestSchemas['MessagesRequest'], ['model', 'messages']),
    MessagesTokenCount: whole({ input_tokens: integer(TOKENS) }),
  },
  requests: {
    text: { summary: 'Text', value: { model: 'tiny', messages: [{ role: 'user', content: 'Hello' }] } },
  },
  answers: { text: { summary: 'Text', value: { input_tokens: 12 } } },
  sample: { model: 'tiny', messages: [{ role: 'user', content: 'Hello' }] },
};

export const responsesCountDocument: ProtocolDocument = {
  operationId: 'countResponseTokens',
  tag: 'Responses',
  about: 'Responses in the OpenResponses format.',
  summary: 'Count the tokens of a response',
  description:
    'Returns how many tokens the input of a response has, with the earlier conversation where `previous_response_id` names one. The engine counts: 501 where it cannot, and for images, audio and files. Nothing is generated.',
  schemas: { request: 'ResponsesCountRequest', answer: 'ResponsesTokenCount' },
  components: {
    ResponsesCountRequest: requestSchema(responsesRequestSchemas['ResponsesRequest'], ['model']),
    ResponsesTokenCount: whole({ object: literal('response.input_tokens'), input_tokens: integer(TOKENS) }),
  },
  requests: { text: { summary: 'Text', value: { model: 'tiny', input: 'Hello' } } },
  answers: { text: { summary: 'Text', value: { object: 'response.input_tokens', input_tokens: 12 } } },
  sample: { model: 'tiny', input: 'Hello' },
};
