import { FerryError } from '../../kernel/errors/ferry-error.js';
import { requireBody } from '../field-checks.js';
import { readMessagesEnvelope } from '../messages/envelope.js';
import { messagesErrorFrame, messagesKeepAlive } from '../messages/frames.js';
import { messagesRequirements } from '../messages/requirements.js';
import type { Protocol } from '../protocol.js';
import { requireCountable } from './countable.js';

/** `POST /v1/messages/count_tokens` (docs/reference/extensions.md#count-tokens). */
export const messagesCountProtocol: Protocol = {
  dialect: 'messages-count',
  path: '/v1/messages/count_tokens',
  extension: 'count-tokens',
  name: 'counting the tokens of messages',
  errors: 'anthropic',
  promptField: 'messages',
  read: (json) => {
    const asked = requireBody(json);
    if (asked['thread'] != null) {
      throw new FerryError('unsupported_parameter', '`thread`: send the whole conversation to count its tokens.', {
        param: 'thread',
      });
    }
    const { body, model } = readMessagesEnvelope({ ...asked, max_tokens: 1, stream: false });
    return {
      envelope: { dialect: 'messages-count', model, stream: false },
      requirements: requireCountable(messagesRequirements(body)),
    };
  },
  // Its prompt is not in the cache of an engine afterwards.
  conversation: () => ({ instructions: undefined }),
  format: () => ({ keepAlive: messagesKeepAlive, terminal: messagesErrorFrame }),
  estimate: { preambleBytes: 0, eventBytes: 1 },
  document: async () => (await import('./document/document.js')).messagesCountDocument,
};
