/**
 * Extracts what the relay needs from the JSON of an inference request. Pure, and runs in two places: here for small bodies, and in the
 * worker that parses large ones, so that objects of hundreds of thousands of keys never reach the event loop.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../kernel/json-object.js';
import { readChatEnvelope, type ChatEnvelope } from '../../dialects/chat/envelope.js';
import { chatRequirements } from '../../dialects/chat/requirements.js';
import {
  type CompletionsEnvelope,
  completionsRequirements,
  readCompletionsEnvelope,
} from '../../dialects/completions/envelope.js';
import { readMessagesEnvelope, type MessagesEnvelope } from '../../dialects/messages/envelope.js';
import { messagesRequirements } from '../../dialects/messages/requirements.js';
import type { Requirements } from '../../dialects/requirements.js';
import { readResponsesEnvelope, type ResponsesEnvelope } from '../../dialects/responses/envelope.js';
import { responsesRequirements } from '../../dialects/responses/requirements.js';
import { requestEcho } from '../../dialects/responses/resource.js';
import type { Dialect } from '../../kernel/dialect.js';
import type { RequestProfile } from '../routing/selection/costing.js';
import type { Envelope } from '../../dialects/envelope.js';
import { affinityKeysOf } from '../routing/affinity/affinity-keys-of.js';

interface EnvelopeOf {
  readonly chat: Omit<ChatEnvelope, 'body'>;
  readonly completions: Omit<CompletionsEnvelope, 'body'>;
  readonly messages: Omit<MessagesEnvelope, 'body'>;
  /** A failed answer repeats parts of the body. */
  readonly responses: ResponsesEnvelope;
}

export interface UnderstoodRequest<D extends Dialect = Dialect> {
  readonly envelope: EnvelopeOf[D];
  readonly requirements: Requirements;
  readonly profile: RequestProfile;
}

export interface ReadingParameters<D extends Dialect = Dialect> {
  readonly dialect: D;
  readonly headers: IncomingHttpHeaders;
  readonly bodyBytes: number;
}

/** Fields are listed: an object without one of its fields, written as a rest, is several times as slow. */
const readers = {
  chat: (json: JsonObject) => {
    const { body, model, stream } = readChatEnvelope(json);
    return { envelope: { dialect: 'chat', model, stream }, requirements: chatRequirements(body) };
  },
  completions: (json: JsonObject) => {
    const { body, model, stream } = readCompletionsEnvelope(json);
    return { envelope: { dialect: 'completions', model, stream }, requirements: completionsRequirements(body) };
  },
  messages: (json: JsonObject) => {
    const { body, model, stream, thread } = readMessagesEnvelope(json);
    return { envelope: { dialect: 'messages', model, stream, thread }, requirements: messagesRequirements(body) };
  },
  responses: (json: JsonObject) => {
    const envelope = readResponsesEnvelope(json);
    return { envelope, requirements: responsesRequirements(envelope.body) };
  },
} satisfies { [D in Dialect]: (json: JsonObject) => Omit<UnderstoodRequest<D>, 'profile'> };

/** @throws FerryError 400 with the path of the field at fault */
export function understand<D extends Dialect>(
  json: JsonObject,
  { dialect, headers, bodyBytes }: ReadingParameters<D>,
): UnderstoodRequest<D> {
  const { envelope, requirements } = readers[dialect](json) as Omit<UnderstoodRequest<D>, 'profile'>;
  return { envelope, requirements, profile: profileOf(headers, envelope, json, bodyBytes, requirements) };
}

/** Part of the request that a failed response may repeat. Copying more to the event loop would block it. */
const LONGEST_ECHO_CHARACTERS = 65_536;

/** Entry point of the worker. @throws as `understand` */
export function readJson(json: JsonObject, parameters: ReadingParameters): UnderstoodRequest {
  const understood = understand(json, parameters);
  const { envelope } = understood;
  if (envelope.dialect !== 'responses') return understood;
  const echo: JsonObject = { ...requestEcho(envelope.body) };
  const isShort = JSON.stringify(echo).length <= LONGEST_ECHO_CHARACTERS;
  return { ...understood, envelope: { ...envelope, body: isShort ? echo : {} } };
}

/** Names of the field in all dialects and versions. */
const maximumFields = ['max_completion_tokens', 'max_output_tokens', 'max_tokens'] as const;

/** The input of the cost model: expected size, and keys of the conversation. Reads only the beginning of the prompt. */
export const profileOf = (
  headers: IncomingHttpHeaders,
  { dialect, stream }: Envelope,
  body: JsonObject,
  bodyBytes: number,
  { hard: { inputs } }: Requirements,
): RequestProfile => ({
  demand: { bodyBytes, stream, maxOutputTokens: maximumOf(body), hasMedia: inputs.size > (inputs.has('text') ? 1 : 0) },
  affinity: affinityKeysOf(headers, dialect, body),
});

function maximumOf(body: JsonObject): number | null {
  for (const name of maximumFields) {
    const value = body[name];
    // 0 has a prompt read, which engines do with one token.
    if (typeof value === 'number' && value >= 0) return Math.max(1, value);
  }
  return null;
}
