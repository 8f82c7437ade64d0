import { elementsOf, isJsonObject } from '../../kernel/json-object.js';
import { invalidField } from '../field-checks.js';

/**
 * Every result answers a call that an earlier message of the assistant made: models and engines do not know what to make of others.
 * @throws FerryError 400
 */
export function checkToolResults(messages: readonly unknown[]): void {
  const calls = new Set<unknown>();
  messages.forEach((message, at) => {
    if (!isJsonObject(message)) return;
    elementsOf(message['content']).forEach((block, index) => {
      if (!isJsonObject(block)) return;
      if (block['type'] === 'tool_use' && message['role'] === 'assistant') calls.add(block['id']);
      if (block['type'] === 'tool_result' && !calls.has(block['tool_use_id'])) {
        throw invalidField(
          `messages[${at}].content[${index}].tool_use_id`,
          'names no `tool_use` of an earlier message',
        );
      }
    });
  });
}
