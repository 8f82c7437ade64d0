import { messagesKeepAlive } from '../../dialects/messages/frames.js';
import { keepAliveComment } from '../../dialects/openai-frames.js';
import { applySplices, findElements, findMembers, NotJsonObjectError } from '../../kernel/json-members.js';
import { allDialects, type Dialect } from '../../kernel/dialect.js';
import { ChatExchange } from './chat-exchange.js';
import { countMessages, countResponses } from './count-exchange.js';
import { EmbeddingsExchange } from './documents/embeddings-exchange.js';
import { RerankExchange } from './documents/rerank-exchange.js';
import type { DialectService } from './exchange.js';
import { MessagesExchange } from './messages-exchange.js';
import { ResponsesExchange } from './responses-exchange.js';
import type { OpenMessage } from '../../link/messages.js';
import { NativeExchange, type NativeGrammar } from './native-exchange.js';

const promptKey: ReadonlySet<string> = new Set(['prompt']);
const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
/** A chunk has the same shape as a whole response. */
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
  chat: { route: 'chat', keepAlive: keepAliveComment, begin: (body, head) => new ChatExchange(body, head) },
  completions: {
    route: 'completions',
    keepAlive: keepAliveComment,
    begin: (body, head) => new CompletionsExchange(body, head),
  },
  responses: {
    route: 'chat',
    keepAlive: keepAliveComment,
    begin: (body, head, model, context) => new ResponsesExchange(body, head, model, context),
  },
  messages: {
    route: 'chat',
    keepAlive: messagesKeepAlive,
    begin: (body, head, model, context) => new MessagesExchange(body, head, model, context),
  },
  'messages-count': { route: 'count', keepAlive: messagesKeepAlive, begin: countMessages },
  'responses-count': { route: 'count', keepAlive: keepAliveComment, begin: countResponses },
  embeddings: {
    route: 'embeddings',
    keepAlive: keepAliveComment,
    begin: (body, head) => new EmbeddingsExchange(body, head),
  },
  rerank: { route: 'rerank', keepAlive: keepAliveComment, begin: (body, head) => new RerankExchange(body, head) },
};

/** Dialects that can be served with these engine routes, natively or translated. */
export const servableDialects = (routes: readonly string[]): readonly Dialect[] =>
  allDialects.filter((dialect) => routes.includes(services[dialect].route));

export const serviceOf = (dialect: Dialect): DialectService => services[dialect];

/**
 * A list of one prompt is that prompt: many clients send lists, and not every engine takes them.
 * @param body of a completions request
 * @returns the same buffer unless its prompt is a list of one text, or of one list of tokens
 */
export function withSinglePrompt(body: Buffer): Buffer {
  try {
    const prompt = findMembers(body, promptKey).members.at(-1);
    if (prompt === undefined || body[prompt.start] !== OPEN_BRACKET) return body;
    const [only, ...others] = findElements(body, prompt.start);
    if (only === undefined || others.length > 0) return body;
    const first = body[only.start];
    if (first !== QUOTE && first !== OPEN_BRACKET) return body;
    const text = body.toString('utf8', only.start, only.end);
    return Buffer.concat(applySplices(body, [{ start: prompt.start, end: prompt.end, text }]));
  } catch (error) {
    // The engine's own error about malformed JSON is more specific.
    if (error instanceof NotJsonObjectError) return body;
    throw error;
  }
}
