import { dialects, type Dialect } from '../../kernel/dialect.js';
import { ChatExchange } from './chat-exchange.js';
import { CompletionsExchange } from './completions-exchange.js';
import type { DialectService } from './exchange.js';
import { MessagesExchange } from './messages-exchange.js';
import { ResponsesExchange } from './responses-exchange.js';

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
