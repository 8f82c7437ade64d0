import { elementsOf, isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import { textOf } from './content-parts.js';

/** Claude Code's first block: it changes with every request, and would make every prompt a new one for prefix caches. */
const BILLING_HEADER = 'x-anthropic-billing-header';

/**
 * The one system text of a request: what `system` says, then what system messages in the middle of the conversation say. Templates of
 * many models refuse a second system message, or one that is not the first (docs/reference/translation.md#messages-request-to-chat).
 */
export function systemText(body: JsonObject, drop: (path: string) => void): string {
  const texts = [textIn(body['system'], 'system', drop)];
  elementsOf(body['messages']).forEach((message, index) => {
    if (isJsonObject(message) && message['role'] === 'system') {
      texts.push(textIn(message['content'], `messages[${index}].content`, drop));
    }
  });
  return texts.filter((text) => text !== '').join('\n\n');
}

function textIn(content: unknown, path: string, drop: (path: string) => void): string {
  if (!Array.isArray(content)) return textOf(content, path, drop);
  const texts = content.map((block: unknown, index) =>
    isBillingHeader(block) ? '' : textOf([block], path, () => drop(`${path}[${index}]`)),
  );
  return texts.filter((text) => text !== '').join('\n\n');
}

const isBillingHeader = (block: unknown): boolean =>
  isJsonObject(block) && typeof block['text'] === 'string' && block['text'].startsWith(BILLING_HEADER);
