import { dialects, type Dialect } from '../../kernel/dialect.js';
import { ChatExchange } from './chat-exchange.js';
import type { DialectService } from './exchange.js';

/** A dialect without an entry is refused before any work, and models do not report it. */
const services: Partial<Record<Dialect, DialectService>> = {
  chat: { route: 'chat', begin: (body, head) => new ChatExchange(body, head) },
};

export const servedDialects: readonly Dialect[] = dialects.filter((dialect) => services[dialect] !== undefined);

export const serviceOf = (dialect: Dialect): DialectService | undefined => services[dialect];
