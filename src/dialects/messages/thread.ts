/**
 * Message threads: the server holds the earlier turns, and a request that continues has the new ones only
 * (docs/reference/translation.md#message-threads).
 */
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { elementsOf, isJsonObject, type JsonObject } from '../../kernel/json-object.js';
import { invalidField } from '../field-checks.js';
import { callIdsIn, checkChoice, checkToolResults } from './tool-checks.js';

export type ThreadUse =
  | { readonly type: 'create' }
  | {
      readonly type: 'continue';
      /** Identifies the last response of the thread. */
      readonly previousMessageId: string;
    };

/** The stored part of a conversation; it was validated when it was received. */
export interface MessageThread {
  /** `null`: the thread was created without. */
  readonly system: unknown;
  readonly tools: unknown;
  /** All turns, the last response included. */
  readonly messages: readonly unknown[];
}

/** Fields that a thread keeps since its creation. */
const keptFields = ['system', 'tools'] as const;

/** @returns null for a request that has its whole conversation and is not to be kept @throws FerryError 400 */
export function readThread(body: JsonObject): ThreadUse | null {
  const thread = body['thread'] ?? null;
  if (thread === null) return null;
  if (!isJsonObject(thread)) throw invalidField('thread', 'must be an object with a `type`');
  if (thread['type'] === 'create') return { type: 'create' };
  // The SDKs go on without a thread then.
  if (thread['type'] !== 'continue') throw unsupportedThread();
  const { previous_message_id: previousMessageId } = thread;
  if (typeof previousMessageId !== 'string') {
    throw invalidField('thread.previous_message_id', 'is required and must be a string');
  }
  for (const name of keptFields) {
    if ((body[name] ?? null) === null) continue;
    throw invalidField(name, 'is kept since the request that created the thread: begin a new thread to change it');
  }
  return { type: 'continue', previousMessageId };
}

export const unsupportedThread = (): FerryError =>
  new FerryError('thread_unsupported_request', undefined, { param: 'thread' });

/**
 * The request with its whole conversation.
 * @throws FerryError 400 for results and choices of tools that the conversation does not have
 */
export function withEarlierTurns(body: JsonObject, thread: MessageThread): JsonObject {
  const turns = elementsOf(body['messages']);
  const { system, tools } = thread;
  const kept = { ...(system !== null && { system }), ...(tools !== null && { tools }) };
  const whole: JsonObject = { ...body, ...kept, messages: [...thread.messages, ...turns] };
  checkToolResults(turns, callIdsIn(thread.messages));
  checkChoice(whole);
  return whole;
}
