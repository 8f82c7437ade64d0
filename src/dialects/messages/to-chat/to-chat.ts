/** Converts a messages request to a chat request (docs/reference/translation.md#messages-request-to-chat). */
import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../../kernel/json-object.js';
import type { ChatMessage } from './chat-request.js';
import type { MessagesEnvelope } from '../envelope.js';
import { hasEffect } from '../../field-checks.js';
import { DroppedFields, FIELD_NAME, forwarded } from './dropped-fields.js';
import { toolFields } from './tool-fields.js';
import { leadingSystem } from './system-text.js';
import { chatTurns } from './turns.js';

interface ModelTraits {
  /** null when unknown. */
  readonly reasoning: boolean | null;
  /** Role of system texts within the conversation; absent: `system`. */
  readonly laterSystem?: 'system' | 'user';
}

export interface TranslatedRequest {
  readonly body: JsonObject;
  /** Paths of dropped fields and blocks. */
  readonly dropped: readonly string[];
  /** Paths of what the model gets in another form. */
  readonly changed: readonly string[];
  /** A system message follows another message. */
  readonly hasLaterSystem: boolean;
}

/** @param envelope validated */
export function messagesToChat({ body, model, stream }: MessagesEnvelope, traits: ModelTraits): TranslatedRequest {
  const dropped = new DroppedFields();
  const changed = new DroppedFields();
  const system = leadingSystem(body['system'], body['messages'], dropped.add);
  const messages: ChatMessage[] = [
    ...(system.text === '' ? [] : [{ role: 'system', content: system.text } as const]),
    ...chatTurns(body['messages'], system.messages, {
      drop: dropped.add,
      change: changed.add,
      laterSystem: traits.laterSystem ?? 'system',
    }),
  ];
  const translated: JsonObject = {
    model,
    messages,
    // To warm the prefix of the prompt: no engine computes a response of nothing.
    max_tokens: Math.max(1, Number(body['max_tokens'])),
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
  const hasLaterSystem = messages.some(({ role }, index) => role === 'system' && index > 0);
  return { body: translated, dropped: dropped.names, changed: changed.names, hasLaterSystem };
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
  for (const [name, value] of Object.entries(objectIn(body, 'output_config'))) {
    const isKnown = name === 'format' || (name === 'effort' && (typeof value !== 'string' || value in efforts));
    if (!isKnown && hasEffect(value) && FIELD_NAME.test(name)) drop(`output_config.${name}`);
  }
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
  // Engines do not support it.
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
