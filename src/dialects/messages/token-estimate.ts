import { elementsOf, isJsonObject, type JsonObject } from '../../kernel/json-object.js';

/** Holds for English text and common tokenizers. */
const CHARACTERS_PER_TOKEN = 4;

export const estimateTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/**
 * Estimates the tokens of a chat request without its media; at least 1, because clients treat 0 as an error
 * (docs/reference/translation.md#token-estimates).
 */
export function estimateInputTokens(body: JsonObject): number {
  let characters = lengthOf(body['tools']);
  for (const message of elementsOf(body['messages'])) {
    if (!isJsonObject(message)) continue;
    const { content } = message;
    if (typeof content === 'string') characters += content.length;
    for (const part of elementsOf(content)) {
      if (isJsonObject(part) && typeof part['text'] === 'string') characters += part['text'].length;
    }
    characters += lengthOf(message['tool_calls']);
  }
  return Math.max(1, Math.ceil(characters / CHARACTERS_PER_TOKEN));
}

const lengthOf = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length);
