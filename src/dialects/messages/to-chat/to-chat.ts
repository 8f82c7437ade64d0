/** Converts a messages request to a chat request (docs/reference/translation.md#messages-request-to-chat). */
import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../../kernel/json-object.js';
import type { ChatMessage } from './chat-request.js';
import type { MessagesEnvelope } from '../envelope.js';
import { DroppedFields, forwarded } from './dropped-fields.js';
import { toolFields } from './tool-fields.js';
import { chatTurns } from './turns.js';
import { textOf } from './content-parts.js';

/** Claude Code's first block, which changes with every request and would defeat prefix caches. */
const BILLING_HEADER = 'x-anthropic-billing-header';

/**
 * Joins `system` and all system messages of the conversation, because many templates accept only one system message, at the beginning
 * (docs/reference/translation.md#messages-request-to-chat).
 */
function systemText(body: JsonObject, drop: (path: string) => void): string {
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

interface ModelTraits {
  /** null when unknown. */
  readonly reasoning: boolean | null;
}

export interface TranslatedRequest {
  readonly body: JsonObject;
  /** Paths of dropped fields and blocks. */
  readonly dropped: readonly string[];
}

/** @param envelope validated */
export function messagesToChat({ body, model, stream }: MessagesEnvelope, traits: ModelTraits): TranslatedRequest {
  const dropped = new DroppedFields();
  const system = systemText(body, dropped.add);
  const messages: ChatMessage[] = [
    ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
    ...chatTurns(body['messages'], dropped.add),
  ];
  const translated: JsonObject = {
    model,
    messages,
    max_tokens: body['max_tokens'],
    stream,
    ...(stream && { stream_options: { include_usage: true } }),
    ...stopFields(body),
    ...samplingFields(body),
    ...toolFields(body, dropped.add),
    ...effortFields(body, traits, dropped.add),
    ...formatFields(body, dropped.add),
    ...userFields(body),
  };
  dropped.addUnknown(body);
  return { body: translated, dropped: dropped.names };
}

const stopFields = (body: JsonObject): JsonObject => {
  const stop = elementsOf(body['stop_sequences']);
  return stop.length === 0 ? {} : { stop };
};

function samplingFields(body: JsonObject): JsonObject {
  const fields: Record<string, unknown> = {};
  for (const name of forwarded) if (body[name] != null) fields[name] = body[name];
  return fields;
}

/** Engines refuse an effort for a model without reasoning, but clients always send one (docs/reference/requirements.md). */
function effortFields(body: JsonObject, { reasoning }: ModelTraits, drop: (path: string) => void): JsonObject {
  const effort = reasoningEffort(body);
  if (effort === undefined) return {};
  if (reasoning !== false) return { reasoning_effort: effort };
  if (effort !== 'none') drop(objectIn(body, 'thinking')['type'] === 'enabled' ? 'thinking' : 'output_config.effort');
  return {};
}

function formatFields(body: JsonObject, drop: (path: string) => void): JsonObject {
  const [path, format] =
    objectIn(body, 'output_config')['format'] == null
      ? ['output_format', body['output_format']]
      : ['output_config.format', objectIn(body, 'output_config')['format']];
  if (format == null) return {};
  if (isJsonObject(format) && format['type'] === 'json_schema') {
    return {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'response', schema: format['schema'], strict: true },
      },
    };
  }
  drop(path);
  return {};
}

const userFields = (body: JsonObject): JsonObject => {
  const user = objectIn(body, 'metadata')['user_id'];
  return typeof user === 'string' && user !== '' ? { user } : {};
};

type Effort = 'none' | 'low' | 'medium' | 'high';

/** Upper bounds of the token budget per effort (docs/reference/translation.md#messages-request-to-chat). */
const LOW_BELOW_TOKENS = 4_000;
const MEDIUM_BELOW_TOKENS = 16_000;

const efforts: Readonly<Record<string, Effort>> = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  // Not supported by engines.
  xhigh: 'high',
  max: 'high',
};

/** `reasoning_effort` of the chat request; undefined leaves it to the model. */
function reasoningEffort(body: JsonObject): Effort | undefined {
  const { type, budget_tokens: budget } = objectIn(body, 'thinking');
  if (type === 'disabled') return 'none';
  if (type === 'enabled' && typeof budget === 'number') return effortOf(budget);
  const { effort } = objectIn(body, 'output_config');
  return typeof effort === 'string' ? efforts[effort] : undefined;
}

const effortOf = (budget: number): Effort =>
  budget < LOW_BELOW_TOKENS ? 'low' : budget < MEDIUM_BELOW_TOKENS ? 'medium' : 'high';
