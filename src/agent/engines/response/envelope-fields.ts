/** The members beside the choices, among them usage: what has another type than clients expect is converted, what cannot be is left out. */
import { ExactNumber } from '../../../kernel/exact-json.js';
import { isJsonObject } from '../../../kernel/json-object.js';
import type { EngineObject } from '../engine.js';

/** In place. A well-formed object is only looked at. */
export function normaliseEnvelope(object: EngineObject): void {
  const { id, created, usage, object: kind, model } = object;
  if (typeof id !== 'string' || id === '') giveText(object, 'id', id);
  if (kind !== undefined && typeof kind !== 'string') delete object['object'];
  if (model !== undefined && typeof model !== 'string') delete object['model'];
  if (created !== undefined && !isUnixSeconds(created)) give(object, 'created', unixSeconds(created));
  if (usage !== undefined && usage !== null && !isTypical(usage)) give(object, 'usage', usageCounts(usage));
}

function give(object: EngineObject, name: string, value: unknown): void {
  if (value !== undefined) object[name] = value;
  else Reflect.deleteProperty(object, name);
}

/** A number as text; the receiver makes an id where there is none. */
function giveText(object: EngineObject, name: string, value: unknown): void {
  const isNumber = typeof value === 'number' || value instanceof ExactNumber;
  give(object, name, isNumber ? String(value) : undefined);
}

/** The year 5138: larger figures are milliseconds, micro- or nanoseconds. */
const LATEST_SECONDS = 100_000_000_000;
const THOUSAND = 1_000;

const isUnixSeconds = (created: unknown): boolean =>
  Number.isSafeInteger(created) && Number(created) >= 0 && Number(created) <= LATEST_SECONDS;

function unixSeconds(created: unknown): number | undefined {
  const spelled = created instanceof ExactNumber ? created.digits : created;
  let seconds = typeof spelled === 'string' ? (numberIn(spelled) ?? Date.parse(spelled) / THOUSAND) : spelled;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds < 0) return undefined;
  while (seconds > LATEST_SECONDS) seconds /= THOUSAND;
  return Math.floor(seconds);
}

function numberIn(text: string): number | undefined {
  return /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const isTypical = (usage: unknown): boolean =>
  isJsonObject(usage) &&
  isCount(usage['prompt_tokens']) &&
  isCount(usage['completion_tokens']) &&
  isCount(usage['total_tokens']) &&
  isTypicalDetails(usage['prompt_tokens_details']) &&
  isTypicalDetails(usage['completion_tokens_details']);

/** Clients in typed languages give up the whole response for a text in place of an object, or of a number in it. */
function isTypicalDetails(details: unknown): boolean {
  if (details === undefined || details === null) return true;
  if (!isJsonObject(details)) return false;
  for (const name in details) if (details[name] !== null && !isCount(details[name])) return false;
  return true;
}

/** Undefined unless both sides are known: a count is never invented, and a 0 would be one. */
function usageCounts(usage: unknown): EngineObject | undefined {
  if (!isJsonObject(usage)) return undefined;
  const count = (...names: readonly string[]): number | undefined =>
    names.map((name) => countIn(usage[name])).find((count) => count !== undefined);
  const total = count('total_tokens');
  const prompt = count('prompt_tokens', 'input_tokens');
  const completion = count('completion_tokens', 'output_tokens');
  const promptTokens = prompt ?? difference(total, completion);
  const completionTokens = completion ?? difference(total, prompt);
  if (promptTokens === undefined || completionTokens === undefined) return undefined;
  const { prompt_tokens_details: ofPrompt, completion_tokens_details: ofCompletion, ...rest } = usage;
  return {
    ...rest,
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: total ?? promptTokens + completionTokens,
    ...(isJsonObject(ofPrompt) && { prompt_tokens_details: countsIn(ofPrompt) }),
    ...(isJsonObject(ofCompletion) && { completion_tokens_details: countsIn(ofCompletion) }),
  };
}

const countsIn = (details: EngineObject): EngineObject =>
  Object.fromEntries(
    Object.entries(details).flatMap(([name, value]) => {
      const count = countIn(value);
      return count === undefined ? [] : [[name, count]];
    }),
  );

const difference = (total: number | undefined, part: number | undefined): number | undefined =>
  total === undefined || part === undefined || part > total ? undefined : total - part;

function countIn(value: unknown): number | undefined {
  const count = typeof value === 'string' ? numberIn(value) : value;
  return isCount(count) ? count : undefined;
}

/**
 * Takes the next report of usage of a response, and changes it in place. llama-server reports that of each choice by itself, in a chunk of its
 * own: the last report becomes that of all, as other engines have it.
 * @param before what the reports before it came to
 * @param several more than one choice has begun; before that, a report is of the first one or of all so far
 * @returns the completion tokens up to now
 */
export function summedUsage(usage: unknown, before: number, several: boolean): number {
  if (!isJsonObject(usage)) return before;
  const { prompt_tokens: prompt, completion_tokens: completion } = usage;
  if (typeof prompt !== 'number' || typeof completion !== 'number') return before;
  if (!several) return completion;
  const sum = before + completion;
  usage['completion_tokens'] = sum;
  usage['total_tokens'] = prompt + sum;
  return sum;
}
