import { keepAliveComment, openAiErrorFrame } from '../openai-frames.js';
import type { Protocol } from '../protocol.js';
import type { StreamFormat } from '../stream-format.js';
import { readChatEnvelope, type ChatEnvelope } from './envelope.js';
import { chatRequirements } from './requirements.js';

const format: StreamFormat = { keepAlive: keepAliveComment, terminal: openAiErrorFrame, cutsFailures: true };

/** `POST /v1/chat/completions` (docs/reference/public-api.md#create-a-chat-completion). The node responds in this dialect. */
export const chatProtocol: Protocol<Omit<ChatEnvelope, 'body'>> = {
  dialect: 'chat',
  path: '/v1/chat/completions',
  name: 'chat completions',
  errors: 'openai',
  promptField: 'messages',
  read: (json) => {
    const { body, model, stream } = readChatEnvelope(json);
    return { envelope: { dialect: 'chat', model, stream }, requirements: chatRequirements(body) };
  },
  conversation: (body) => ({ instructions: undefined, messages: body['messages'] }),
  format: () => format,
  estimate: { preambleBytes: 200, eventBytes: 210 },
  document: async () => (await import('./document/document.js')).chatDocument,
};
