/**
 * Contents of a `chat.completion.chunk` or a `text_completion`. Engine output is data of unknown shape: everything is asked for before
 * it is used.
 */
import { isJsonObject } from '../../kernel/json-object.js';
import { textParts } from '../../dialects/text-parts.js';
import type { EngineObject } from '../engines/engine.js';

type Json = Record<string, unknown>;

/** True for text, reasoning, tool calls, audio or an end: what a client would miss. A role alone is not. */
export function carriesOutput({ choices }: EngineObject): boolean {
  if (!Array.isArray(choices)) return false;
  return choices.some((choice: unknown) => {
    if (!isJsonObject(choice)) return false;
    if (typeof choice['finish_reason'] === 'string') return true;
    // A text completion has its text here.
    if (typeof choice['text'] === 'string' && choice['text'] !== '') return true;
    const { delta } = choice;
    return isJsonObject(delta) && Object.entries(delta).some(([key, value]) => key !== 'role' && isSubstance(value));
  });
}

const isSubstance = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/**
 * A chunk whose texts are too long, as several that concatenate to the same: role, ids and names come with the first, the finish reason
 * and usage with the last. Never cuts a surrogate pair.
 */
export function splitLargeChunk(chunk: EngineObject): readonly EngineObject[] {
  const { choices, usage, ...envelope } = chunk;
  if (!Array.isArray(choices)) return [chunk];
  const first: unknown[] = [];
  const more: Json[] = [];
  const last: Json[] = [];
  for (const choice of choices as unknown[]) {
    if (!isJsonObject(choice)) {
      first.push(choice);
      continue;
    }
    const { index, finish_reason: finishReason } = choice;
    const { begin, rest, end } = splitChoice(choice);
    first.push({ ...choice, ...begin, finish_reason: null });
    more.push(...rest.map((part) => ({ index, ...part, finish_reason: null })));
    if (typeof finishReason === 'string') last.push({ index, ...end, finish_reason: finishReason });
  }
  const parts = [{ ...envelope, choices: first }, ...more.map((choice) => ({ ...envelope, choices: [choice] }))];
  if (last.length > 0 || usage !== undefined) {
    parts.push({ ...envelope, choices: last, ...(usage === undefined ? {} : { usage }) });
  }
  return parts;
}

/** The part of a choice that holds its texts: cut to one part, what follows, and the empty form that goes with the finish reason. */
function splitChoice({ delta, text }: Json): { begin: Json; rest: readonly Json[]; end: Json } {
  if (isJsonObject(delta)) {
    const { begin, rest } = splitTexts(delta);
    return { begin: { delta: begin }, rest: rest.map((part) => ({ delta: part })), end: { delta: {} } };
  }
  if (typeof text !== 'string') return { begin: {}, rest: [], end: {} };
  const [head = '', ...tail] = textParts(text);
  return { begin: { text: head }, rest: tail.map((part) => ({ text: part })), end: { text: '' } };
}

/** `begin` has the shape of the delta with every text cut to one part; `rest` are deltas with one further part each. */
function splitTexts(delta: Json): { begin: Json; rest: Json[] } {
  const begin: Json = { ...delta };
  const rest: Json[] = [];
  for (const [key, value] of Object.entries(delta)) {
    if (typeof value === 'string') {
      const [head = '', ...tail] = textParts(value);
      begin[key] = head;
      rest.push(...tail.map((part) => ({ [key]: part })));
    } else if (key === 'tool_calls' && Array.isArray(value)) {
      begin[key] = value.map((call: unknown) => splitArguments(call, rest));
    }
  }
  return { begin, rest };
}

function splitArguments(call: unknown, rest: Json[]): unknown {
  if (!isJsonObject(call) || !isJsonObject(call['function'])) return call;
  const { arguments: text } = call['function'];
  if (typeof text !== 'string') return call;
  const [head = '', ...tail] = textParts(text);
  rest.push(...tail.map((part) => ({ tool_calls: [{ index: call['index'], function: { arguments: part } }] })));
  return { ...call, function: { ...call['function'], arguments: head } };
}
