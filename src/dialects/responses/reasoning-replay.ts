/**
 * Reasoning that clients send back with the next request. `encrypted_content` is for clients that keep nothing else (Codex, AI SDK with
 * `store: false`): the plain text with a prefix that distinguishes it from that of other services. The summary of the item shows the same.
 */
import { elementsOf, isJsonObject, type JsonObject } from '../../kernel/json-object.js';

const MARK = 'ferry1.';

export const packReasoning = (text: string): string => MARK + Buffer.from(text, 'utf8').toString('base64url');

const unpackReasoning = (packed: unknown): string =>
  typeof packed === 'string' && packed.startsWith(MARK)
    ? Buffer.from(packed.slice(MARK.length), 'base64url').toString('utf8')
    : '';

/** The most complete readable text of a reasoning item; empty when it has none. */
export const reasoningText = (item: JsonObject): string =>
  textsIn(item['content']) || textsIn(item['summary']) || unpackReasoning(item['encrypted_content']);

const textsIn = (parts: unknown): string =>
  elementsOf(parts)
    .map((part) => (isJsonObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .filter((text) => text !== '')
    .join('\n\n');
