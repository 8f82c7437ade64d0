import { dialects, type Dialect } from '../../kernel/dialect.js';
import { ChatExchange } from './chat-exchange.js';
import type { DialectService } from './exchange.js';
import { MessagesExchange } from './messages-exchange.js';
import { ResponsesExchange } from './responses-exchange.js';
import type { OpenMessage } from '../../link/messages.js';
import { withSinglePrompt } from './single-prompt.js';
import { NativeExchange, type NativeGrammar } from './native-exchange.js';

/** A chunk has the same shape as a whole answer. */
const grammar: NativeGrammar = { idPrefix: 'cmpl-', wholeKind: 'text_completion', chunkKind: 'text_completion' };

/**
 * Legacy text completions, on the engine's own route or not at all: a chat template would spoil the prompt
 * (docs/reference/client-protocols.md#text-completions, docs/reference/translation.md#text-completions-and-chat).
 */
export class CompletionsExchange extends NativeExchange {
  constructor(body: Buffer, head: OpenMessage) {
    super(withSinglePrompt(body), head, grammar);
  }
}

const services: Record<Dialect, DialectService> = {
  chat: { route: 'chat', begin: (body, head) => new ChatExchange(body, head) },
  completions: { route: 'completions', begin: (body, head) => new CompletionsExchange(body, head) },
  responses: {
    route: 'chat',
    begin: (body, head, model, context) => new ResponsesExchange(body, head, model, context),
  },
  messages: { route: 'chat', begin: (body, head, model) => new MessagesExchange(body, head, model) },
};

/** Dialects that can be served with these engine routes, natively or translated. */
export const servableDialects = (spoken: readonly Dialect[]): readonly Dialect[] =>
  dialects.filter((dialect) => spoken.includes(services[dialect].route));

export const serviceOf = (dialect: Dialect): DialectService => services[dialect];
