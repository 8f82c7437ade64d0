import type { OpenMessage } from '../../link/messages.js';
import { NativeExchange, type NativeGrammar } from './native-exchange.js';

/** A chunk has the same shape as a whole answer. */
const grammar: NativeGrammar = { idPrefix: 'cmpl-', wholeKind: 'text_completion', chunkKind: 'text_completion' };

/**
 * Legacy text completions, on the engine's own route or not at all: a chat template would spoil the prompt
 * (docs/reference/client-protocols.md#text-completions, docs/reference/translation.md#text-completions-and-chat).
 */
export class CompletionsExchange extends NativeExchange {
  constructor(body: Buffer, head: OpenMessage) {
    super(body, head, grammar);
  }
}
