import type { OpenMessage } from '../../link/messages.js';
import type { EngineObject } from '../engines/engine.js';
import { withNestedTools } from './flat-tools.js';
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
    super(withNestedTools(body), head, grammar, (chunk) => {
      role.complete(chunk);
    });
  }
}

/** More choices than any client asks for; an engine that invents indices gets no further memory. */
const MAX_CHOICES = 128;

/**
 * The official client refuses a stream whose first chunk of a choice has no role (docs/reference/client-protocols.md#chat-completions);
 * not every engine sends one.
 */
class AssistantRole {
  private readonly withRole = new Set<unknown>();

  /** Adds the role to the first delta of each choice, where the engine left it out. */
  complete({ choices }: EngineObject): void {
    if (!Array.isArray(choices)) return;
    for (const choice of choices as unknown[]) {
      if (typeof choice !== 'object' || choice === null) continue;
      const { index, delta } = choice as { index?: unknown; delta?: unknown };
      if (typeof delta !== 'object' || delta === null || this.withRole.has(index) || this.withRole.size >= MAX_CHOICES)
        continue;
      this.withRole.add(index);
      (delta as { role?: unknown }).role ??= 'assistant';
    }
  }
}
