/** The texts of a request's prompt in order, from the parsed body. */
import { protocols } from '../../../dialects/protocols.js';
import type { Dialect } from '../../../kernel/dialect.js';
import { elementsOf, isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import { textOfPart } from './conversation-parts.js';
import type { PrefixHashes } from './prefix-hashes.js';

/** Adds the prompt to the hashes until they are full. Definitions of tools are left out: they seldom differ under one system prompt. */
export function addConversation(hashes: PrefixHashes, dialect: Dialect, body: JsonObject): void {
  const { instructions, messages, text } = protocols[dialect].conversation(body);
  addContent(hashes, instructions);
  addMessages(hashes, messages);
  if (typeof text === 'string') hashes.add(text);
  else addContent(hashes, text);
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
    // The data of an image or a file is not hashed, only that it is there.
    hashes.add(textOfPart(part) ?? '\0media\0');
  }
}
