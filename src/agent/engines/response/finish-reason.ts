/** Maps engines' words for the end of a response to those of Chat Completions (docs/reference/engines.md#what-engines-send). */
import { isJsonObject } from '../../../kernel/json-object.js';
import { engineError } from '../failures/failures.js';

type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** `failed`: the engine gave up. */
type Meaning = FinishReason | 'failed' | null;

/** Keys are in lower case, with `_` between words. */
const words = {
  stop: [],
  length: [
    ...['length', 'max_tokens', 'max_token', 'max_length', 'max_output_tokens', 'max_new_tokens', 'model_length'],
    ...['max_completion_tokens', 'token_limit', 'length_limit', 'limit', 'truncated', 'incomplete', 'context_full'],
    ...['model_context_window_exceeded', 'context_window_exceeded', 'context_length_exceeded', 'context_length'],
    ...['error_limit', 'num_predict', 'repetition'],
  ],
  tool_calls: ['tool_calls', 'tool_call', 'toolcalls', 'tool_use', 'tools', 'tool', 'function_calls'],
  content_filter: [
    ...['content_filter', 'content_filtered', 'content_filtering', 'filtered', 'safety', 'refusal', 'blocked'],
    ...['blocklist', 'recitation', 'spii', 'sensitive', 'guardrail_intervened'],
  ],
  function_call: ['function_call'],
  failed: [
    ...['abort', 'error', 'failed', 'failure', 'exception', 'insufficient_system_resource', 'unexpected_tool_call'],
    ...['too_many_tool_calls', 'user_cancel'],
  ],
} as const satisfies Readonly<Record<NonNullable<Meaning>, readonly string[]>>;

const notYet = [
  ...['', 'null', 'none', 'nil', 'undefined', 'false', 'n/a', 'unfinished', 'not_finished', 'in_progress', 'pending'],
  ...['running', 'generating', 'streaming', 'continue'],
] as const;
const unnamed = ['unspecified', 'finish_reason_unspecified'] as const;

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...[...notYet, ...unnamed].map((word): [string, Meaning] => [word, null]),
  ...(Object.keys(words) as NonNullable<Meaning>[]).flatMap((meaning) =>
    words[meaning].map((word): [string, Meaning] => [word, meaning]),
  ),
]);

/** Parts of other words, the first that is found: an engine's word for a response that is not whole must not be taken for a normal end. */
const parts: readonly (readonly [RegExp, NonNullable<Meaning>])[] = [
  [/error|fail|abort|cancel|exception|interrupt|preempt|malformed|time_?d?_?out|disconnect/, 'failed'],
  [/filter|safety|prohibited|blocked|moderation|refus/, 'content_filter'],
  [/length|limit|truncat|incomplete|exceed|overflow|out_of_tokens|(?:^|_)max/, 'length'],
];

/**
 * Null as long as the response has not ended. Words that are not known, and have no known part, are a normal end.
 * @throws EngineFailure for a word that means an error
 */
export function finishReasonOf(value: unknown): FinishReason | null {
  switch (value) {
    case null:
    case undefined:
    case '':
      return null;
    case 'stop':
    case 'length':
    case 'tool_calls':
    case 'content_filter':
    case 'function_call':
      return value;
    default:
      return meaningOf(isJsonObject(value) ? value['type'] : value);
  }
}

function meaningOf(value: unknown): FinishReason | null {
  if (typeof value !== 'string') return null;
  const word = value
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\s.-]+/g, '_')
    .replace(/^finish_?reason_(?!unspecified)/, '');
  const known = meanings.get(word);
  const meaning = known === undefined ? parts.find(([part]) => part.test(word))?.[1] : known;
  if (meaning === 'failed') throw engineError('The engine failed in the middle of the response.');
  return meaning === undefined ? 'stop' : meaning;
}
