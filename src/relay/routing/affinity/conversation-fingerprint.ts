/** The system prompt and the first user message of a request, per dialect, from the parsed body. */
import { elementsOf, isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import { protocols } from '../../../dialects/protocols.js';
import type { Dialect } from '../../../kernel/dialect.js';
import { textOfPart } from './conversation-parts.js';

export interface ConversationFingerprint {
  /** System prompt; empty: none. */
  readonly system: string;
  /** First user message; empty: none was found. */
  readonly question: string;
}

/** Longer texts are distinguished by their length: hashing a whole prompt costs more than it is worth. */
const HEAD_CHARACTERS = 1_024;
/** Messages searched for the first user message. */
const LOOKED_AT_MESSAGES = 8;

interface Text {
  readonly head: string;
  readonly characters: number;
}

const nothing: Text = { head: '', characters: 0 };

export function conversationFingerprint(dialect: Dialect, body: JsonObject): ConversationFingerprint {
  const { instructions, messages, text } = protocols[dialect].conversation(body);
  const system = textOf(instructions);
  return text === undefined ? ofMessages(messages, system) : opening(system, textOf(text));
}

function ofMessages(messages: unknown, before: Text): ConversationFingerprint {
  let system = before;
  let index = 0;
  for (const message of elementsOf(messages)) {
    if (index++ >= LOOKED_AT_MESSAGES) break;
    if (!isJsonObject(message)) continue;
    const role = message['role'];
    if (role === 'user') return opening(system, textOf(message['content']));
    if (role === 'system' || role === 'developer') system = joined(system, textOf(message['content']));
  }
  return opening(system, nothing);
}

/** The length is part of the hashed text: two long prompts seldom agree in both. */
const opening = (system: Text, question: Text): ConversationFingerprint => ({
  system: system.characters === 0 ? '' : `${system.characters}:${system.head}`,
  question: question.characters === 0 ? '' : `${question.characters}:${question.head}`,
});

const joined = (a: Text, b: Text): Text =>
  a.characters === 0 ? b : { head: a.head + b.head, characters: a.characters + b.characters };

/** A list of parts is represented by its first text and the number of parts. */
function textOf(content: unknown): Text {
  if (typeof content === 'string') return { head: content.slice(0, HEAD_CHARACTERS), characters: content.length };
  if (!Array.isArray(content)) return nothing;
  let head = '';
  let characters = 0;
  for (const part of content as readonly unknown[]) {
    const text = textOfPart(part);
    if (text === undefined) continue;
    if (head.length < HEAD_CHARACTERS) head += text.slice(0, HEAD_CHARACTERS - head.length);
    characters += text.length;
  }
  return { head, characters };
}
