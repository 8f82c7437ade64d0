/** The texts of a request's prompt in order, per dialect, from the parsed body. */
import type { Dialect } from '../../../kernel/dialect.js';
import { elementsOf, isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import type { PrefixHashes } from './prefix-hashes.js';

/** Adds the prompt to the hashes until they are full. Definitions of tools are left out: they seldom differ under one system prompt. */
export function addConversation(hashes: PrefixHashes, dialect: Dialect, body: JsonObject): void {
  switch (dialect) {
    case 'chat':
      addMessages(hashes, body['messages']);
      return;
    case 'messages':
      addContent(hashes, body['system']);
      addMessages(hashes, body['messages']);
      return;
    case 'responses':
      addContent(hashes, body['instructions']);
      if (typeof body['input'] === 'string') hashes.add(body['input']);
      else addMessages(hashes, body['input']);
      return;
    case 'completions':
      if (typeof body['prompt'] === 'string') hashes.add(body['prompt']);
      return;
    default:
      dialect satisfies never;
  }
}

function addMessages(hashes: PrefixHashes, messages: unknown): void {
  for (const message of elementsOf(messages)) {
    if (hashes.full) return;
    if (!isJsonObject(message)) continue;
    // Separates the messages: texts that are divided otherwise are other prompts.
    hashes.add(`\0${typeof message['role'] === 'string' ? message['role'] : ''}\0`);
    addContent(hashes, message['content']);
  }
}

function addContent(hashes: PrefixHashes, content: unknown): void {
  if (typeof content === 'string') {
    hashes.add(content);
    return;
  }
  for (const part of elementsOf(content)) {
    const text = typeof part === 'string' ? part : isJsonObject(part) ? part['text'] : undefined;
    // An image or a file: its data is not hashed, only that it is there.
    hashes.add(typeof text === 'string' ? text : '\0media\0');
  }
}
