/**
 * What the relay reads of a chat request: the fields that docs/reference/public-api.md#create-a-chat-completion names and what
 * docs/reference/translation.md#rejected-and-dropped-fields lists as 400.
 */
import { isJsonObject, type JsonObject } from '../../kernel/json-object.js';
import type { Envelope } from '../envelope.js';
import {
  checkInteger,
  checkNumber,
  checkTextOrTexts,
  invalidField,
  missingField,
  optionalFlag,
  requireBody,
  requireText,
} from '../field-checks.js';
import { checkPart } from './part-checks.js';
import { checkToolChoice } from './tool-choice.js';
import { checkTools } from './tools.js';

const roles = ['developer', 'system', 'user', 'assistant', 'tool', 'function'] as const;
const isRole = (value: unknown): boolean => roles.some((role) => role === value);

/** Roles whose messages may have no content: with tool calls, or with an empty result. */
const mayBeSilent: readonly unknown[] = ['assistant', 'tool', 'function'];

const numbers = ['temperature', 'top_p', 'frequency_penalty', 'presence_penalty'] as const;

export interface ChatEnvelope extends Envelope {
  readonly dialect: 'chat';
  /** Validated down to the media parts; every other field is unchanged. */
  readonly body: JsonObject;
}

/** @throws FerryError 400 with the path of the field at fault. */
export function readChatEnvelope(json: unknown): ChatEnvelope {
  const body = requireBody(json);
  const model = requireText(body, 'model');
  checkMessages(body);
  const stream = optionalFlag(body, 'stream');
  checkInteger(body, 'max_tokens');
  for (const name of numbers) checkNumber(body, name);
  checkTextOrTexts(body, 'stop');
  checkTools(body);
  checkToolChoice(body);
  return { dialect: 'chat', model, stream, body };
}

function checkMessages(body: JsonObject): void {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw missingField(body, 'messages', 'is required and must be a non-empty array');
  }
  messages.forEach((message: unknown, index) => {
    checkMessage(message, `messages[${String(index)}]`);
  });
}

function checkMessage(message: unknown, path: string): void {
  if (!isJsonObject(message)) throw invalidField(path, 'must be an object with `role` and `content`');
  const role = message['role'];
  if (!isRole(role)) throw invalidField(`${path}.role`, `must be one of ${roles.join(', ')}`);
  if (role === 'tool' && !isNonEmptyText(message['tool_call_id'])) {
    throw invalidField(`${path}.tool_call_id`, 'is required in a message with the role tool');
  }
  checkContent(message['content'] ?? undefined, `${path}.content`, mayBeSilent.includes(role));
}

function checkContent(content: unknown, path: string, mayBeAbsent: boolean): void {
  if (typeof content === 'string' || (content === undefined && mayBeAbsent)) return;
  if (!Array.isArray(content)) throw invalidField(path, 'must be a string or an array of content parts');
  content.forEach((part: unknown, index) => {
    checkPart(part, `${path}[${String(index)}]`);
  });
}

const isNonEmptyText = (value: unknown): boolean => typeof value === 'string' && value !== '';
