import { dialects, type Dialect } from '../../kernel/dialect.js';
import { ChatExchange } from './chat-exchange.js';
import { CompletionsExchange } from './completions-exchange.js';
import type { DialectService } from './exchange.js';
import { MessagesExchange } from './messages-exchange.js';

/** A dialect without an entry is refused before any work, and models do not report it. */
const services: Partial<Record<Dialect, DialectService>> = {
  chat: { route: 'chat', begin: (body, head) => new ChatExchange(body, head) },
  completions: { route: 'completions', begin: (body, head) => new CompletionsExchange(body, head) },
  messages: { route: 'chat', begin: (body, head, model) => new MessagesExchange(body, head, model) },
};

/** What can be served to clients with an engine that speaks these routes, natively or through a translation. */
export const servableDialects = (spoken: readonly Dialect[]): readonly Dialect[] =>
  dialects.filter((dialect) => {
    const service = services[dialect];
    return service !== undefined && spoken.includes(service.route);
  });

export const serviceOf = (dialect: Dialect): DialectService | undefined => services[dialect];
