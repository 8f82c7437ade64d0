import type { OpenMessage } from '../../link/messages.js';
import { AssistantRole } from './assistant-role.js';
import { NativeExchange, type NativeGrammar } from './native-exchange.js';

const grammar: NativeGrammar = {
  idPrefix: 'chatcmpl-',
  wholeKind: 'chat.completion',
  chunkKind: 'chat.completion.chunk',
};

/** Chat Completions, the common language of engines (docs/reference/client-protocols.md#chat-completions). */
export class ChatExchange extends NativeExchange {
  constructor(body: Buffer, head: OpenMessage) {
    const role = new AssistantRole();
    super(body, head, grammar, (chunk) => {
      role.complete(chunk);
    });
  }
}
