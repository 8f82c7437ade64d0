/** System texts of a messages request, at its beginning and within the conversation. */
import { elementsOf, isJsonObject } from '../../../kernel/json-object.js';
import type { FieldPath } from '../../requirements.js';
import { textOf } from './content-parts.js';

/** Claude Code's first block, which changes with every request and would defeat prefix caches. */
const BILLING_HEADER = 'x-anthropic-billing-header';

/** @param content text or blocks */
export function systemTextOf(content: unknown, path: FieldPath, drop: (path: FieldPath) => void): string {
  if (!Array.isArray(content)) return textOf(content, path, drop);
  const texts = content.map((block: unknown, index) =>
    isBillingHeader(block) ? '' : textOf([block], path, () => drop(`${path}[${index}]`)),
  );
  return joined(texts);
}

const isBillingHeader = (block: unknown): boolean =>
  isJsonObject(block) && typeof block['text'] === 'string' && block['text'].startsWith(BILLING_HEADER);

/**
 * The one system message at the beginning: `system`, and system messages that precede everything else. Later ones stay where they are, because
 * agents append one after each tool result, and a prompt that changes at its beginning is read anew as a whole in every turn.
 * @returns its text, and how many messages are part of it
 */
export function leadingSystem(
  system: unknown,
  messages: unknown,
  drop: (path: FieldPath) => void,
): { readonly text: string; readonly messages: number } {
  const texts = [systemTextOf(system, 'system', drop)];
  let leading = 0;
  for (const message of elementsOf(messages)) {
    if (!isJsonObject(message) || message['role'] !== 'system') break;
    texts.push(systemTextOf(message['content'], `messages[${leading}].content`, drop));
    leading += 1;
  }
  return { text: joined(texts), messages: leading };
}

const joined = (texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n');
