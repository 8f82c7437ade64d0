/**
 * Reasoning that comes back with the next request. `encrypted_content` is for clients that keep nothing else of it (Codex, AI SDK with
 * `store: false`): the text itself, under a mark that tells ours from that of other services. It hides nothing that the summary of the
 * same item does not show.
 */
import { elementsOf, isJsonObject, type JsonObject } from '../../kernel/json-object.js';

const MARK = 'ferry1.';

export const packReasoning = (text: string): string => MARK + Buffer.from(text, 'utf8').toString('base64url');

const unpackReasoning = (packed: unknown): string =>
  typeof packed === 'string' && packed.startsWith(MARK)
    ? Buffer.from(packed.slice(MARK.length), 'base64url').toString('utf8')
    : '';

/** The text of a reasoning item, in the most complete form that it has; empty when it has none that can be read here. */
export const reasoningText = (item: JsonObject): string =>
  textsIn(item['content']) || textsIn(item['summary']) || unpackReasoning(item['encrypted_content']);

const textsIn = (parts: unknown): string =>
  elementsOf(parts)
    .map((part) => (isJsonObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .filter((text) => text !== '')
    .join('\n\n');
