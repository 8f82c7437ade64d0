import type { Protocol } from '../protocol.js';
import type { StreamFormat } from '../stream-format.js';
import { readMessagesEnvelope, type MessagesEnvelope } from './envelope.js';
import { messagesErrorFrame, messagesKeepAlive } from './frames.js';
import { messagesRequirements } from './requirements.js';

const format: StreamFormat = { keepAlive: messagesKeepAlive, terminal: messagesErrorFrame };

/**
 * `POST /v1/messages` (docs/reference/public-api.md#create-a-message). The node translates and responds in this dialect. Only a response that a
 * thread may continue gets an id of the relay, which names its node.
 */
export const messagesProtocol: Protocol<Omit<MessagesEnvelope, 'body'>> = {
  dialect: 'messages',
  path: '/v1/messages',
  name: 'messages',
  errors: 'anthropic',
  promptField: 'messages',
  read: (json) => {
    const { body, model, stream, thread } = readMessagesEnvelope(json);
    return { envelope: { dialect: 'messages', model, stream, thread }, requirements: messagesRequirements(body) };
  },
  conversation: (body) => ({ instructions: body['system'], messages: body['messages'] }),
  format: () => format,
  continued: {
    idPrefix: 'msg_',
    notFound: 'thread_not_found',
    use: ({ thread }, accountId, ids) => {
      if (thread === null) return undefined;
      if (thread.type === 'create') return {};
      const pinnedNode = ids.nodeOf(accountId, thread.previousMessageId) ?? null;
      return { continuation: { pinnedNode, param: 'thread.previous_message_id' } };
    },
  },
  estimate: { preambleBytes: 350, eventBytes: 120 },
  document: async () => (await import('./document/document.js')).messagesDocument,
};
