/** Converts the fields other than conversation and tools (docs/reference/translation.md#responses-request-to-chat). */
import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../../kernel/json-object.js';
import { wantsLogprobs } from '../requirements.js';
import type { DroppedFields } from './dropped-fields.js';

/** Chat fields written by the translation, which fields of the same name must not overwrite. */
const writtenHere: readonly string[] = [
  'model',
  'messages',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'max_tokens',
  'max_completion_tokens',
  'response_format',
  'reasoning_effort',
  'logprobs',
  'top_logprobs',
  'n',
  'modalities',
  'audio',
];

/** Fields translated elsewhere, or with an effect outside the engine. */
const takenCareOf: readonly string[] = [
  'input',
  'instructions',
  'previous_response_id',
  'max_output_tokens',
  'text',
  'reasoning',
  'include',
  'metadata',
  'store',
  'background',
  'conversation',
  'prompt',
];

/** Fields that no engine supports; the answer still repeats some of them. */
const withoutCounterpart: readonly string[] = [
  'max_tool_calls',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'safety_identifier',
  'user',
  'client_metadata',
  'context_management',
  'moderation',
  'access_programs',
];

/** Values without an effect. */
const asUsual: Readonly<Record<string, readonly unknown[]>> = {
  truncation: ['disabled'],
  service_tier: ['auto', 'default'],
};

const known = new Set([...writtenHere, ...takenCareOf, ...withoutCounterpart, ...Object.keys(asUsual)]);

/** @param reasoning false when the model is known not to reason */
export function chatSettings(request: JsonObject, reasoning: boolean | null, dropped: DroppedFields): JsonObject {
  const stream = request['stream'] === true;
  noteDropped(request, dropped);
  return {
    ...othersOf(request),
    ...(isPresent(request['max_output_tokens']) && { max_tokens: request['max_output_tokens'] }),
    ...responseFormat(objectIn(objectIn(request, 'text'), 'format')),
    ...reasoningEffort(objectIn(request, 'reasoning')['effort'], reasoning, dropped),
    ...logprobs(request),
    stream,
    // Always requested, because every terminal event has the usage.
    ...(stream && { stream_options: { include_usage: true } }),
  };
}

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

/**
 * Sampling fields have the same names in chat, and unknown fields may be known to the engine
 * (docs/reference/api-behaviour.md#unknown-fields).
 */
const othersOf = (request: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(request).filter(([name, value]) => !known.has(name) && isPresent(value)));

function noteDropped(request: JsonObject, dropped: DroppedFields): void {
  for (const name of withoutCounterpart) if (isPresent(request[name])) dropped.add(name);
  for (const [name, values] of Object.entries(asUsual)) {
    if (isPresent(request[name]) && !values.includes(request[name])) dropped.add(name);
  }
  if (isPresent(objectIn(request, 'text')['verbosity'])) dropped.add('text.verbosity');
  const { context, mode } = objectIn(request, 'reasoning');
  if (isPresent(context) && context !== 'auto') dropped.add('reasoning.context');
  if (isPresent(mode) && mode !== 'standard') dropped.add('reasoning.mode');
  const understood: readonly unknown[] = ['reasoning.encrypted_content', 'message.output_text.logprobs'];
  elementsOf(request['include']).forEach((wanted, index) => {
    if (!understood.includes(wanted)) dropped.add(`include[${String(index)}]`);
  });
}

function responseFormat({ type, name, schema, strict, description }: JsonObject): JsonObject {
  if (type === 'json_object') return { response_format: { type } };
  if (type !== 'json_schema' || !isJsonObject(schema)) return {};
  const json_schema = {
    name: typeof name === 'string' ? name : 'response',
    ...(typeof description === 'string' && { description }),
    schema,
    ...(typeof strict === 'boolean' && { strict }),
  };
  return { response_format: { type, json_schema } };
}

/** Efforts of engines; others are rounded. */
const efforts: ReadonlyMap<unknown, string> = new Map([
  ['none', 'none'],
  ['minimal', 'low'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'high'],
  ['max', 'high'],
]);

function reasoningEffort(effort: unknown, reasoning: boolean | null, dropped: DroppedFields): JsonObject {
  const translated = efforts.get(effort);
  if (translated !== undefined && reasoning !== false) return { reasoning_effort: translated };
  // A model without reasoning already complies with `none`.
  if (isPresent(effort) && effort !== 'none') dropped.add('reasoning.effort');
  return {};
}

function logprobs(request: JsonObject): JsonObject {
  if (!wantsLogprobs(request)) return {};
  const top = request['top_logprobs'];
  return { logprobs: true, ...(typeof top === 'number' && top > 0 && { top_logprobs: top }) };
}
