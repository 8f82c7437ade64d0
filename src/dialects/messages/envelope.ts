/**
 * What the relay reads of a messages request: the fields that docs/reference/public-api.md#create-a-message names and what
 * docs/reference/translation.md#rejected-and-dropped-fields lists as 400.
 */
import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../kernel/json-object.js';
import type { Envelope } from '../envelope.js';
import { invalidField, optionalFlag, requireBody, requireText } from '../field-checks.js';
import { checkContent, checkMessageContent } from './block-checks.js';
import { readThread, type ThreadUse } from './thread.js';
import { checkChoice, checkToolResults, checkTools } from './tool-checks.js';

const roles: readonly unknown[] = ['user', 'assistant', 'system'];

export interface MessagesEnvelope extends Envelope {
  readonly dialect: 'messages';
  readonly thread: ThreadUse | null;
  /** Validated down to the content blocks; every other field is unchanged. */
  readonly body: JsonObject;
}

/** @throws FerryError 400 with the path of the field at fault. */
export function readMessagesEnvelope(json: unknown): MessagesEnvelope {
  const body = requireBody(json);
  const model = requireText(body, 'model');
  const thread = readThread(body);
  const continues = thread?.type === 'continue';
  checkMessages(body['messages'], continues);
  checkMaxTokens(body['max_tokens']);
  const stream = optionalFlag(body, 'stream');
  if (body['system'] != null) checkContent(body['system'], 'system');
  checkStopSequences(body['stop_sequences'] ?? []);
  checkTools(body);
  if (!continues) checkChoice(body);
  checkFormat(objectIn(body, 'output_config')['format'], 'output_config.format');
  checkFormat(body['output_format'], 'output_format');
  return { dialect: 'messages', model, stream, thread, body };
}

/** @param continues earlier messages are kept: tools and their calls are checked with them */
function checkMessages(messages: unknown, continues: boolean): void {
  if (!Array.isArray(messages) || (messages.length === 0 && !continues)) {
    throw invalidField('messages', 'is required and must be a non-empty array');
  }
  messages.forEach((message: unknown, index) => {
    const path = `messages[${index}]`;
    if (!isJsonObject(message)) throw invalidField(path, 'must be an object with `role` and `content`');
    if (!roles.includes(message['role'])) throw invalidField(`${path}.role`, `must be one of ${roles.join(', ')}`);
    checkMessageContent(message['content'], `${path}.content`, message['role']);
  });
  if (!continues) checkToolResults(messages);
}

function checkMaxTokens(value: unknown): void {
  if (!Number.isInteger(value) || Number(value) < 0) {
    throw invalidField('max_tokens', 'is required and must be an integer of at least 0');
  }
}

function checkStopSequences(value: unknown): void {
  if (!Array.isArray(value) || elementsOf(value).some((text) => typeof text !== 'string')) {
    throw invalidField('stop_sequences', 'must be an array of strings');
  }
}

/** Checked here, because an engine's error would name the translated field. */
function checkFormat(format: unknown, path: string): void {
  if (isJsonObject(format) && format['type'] === 'json_schema' && !isJsonObject(format['schema'])) {
    throw invalidField(`${path}.schema`, 'must be a JSON schema');
  }
}
