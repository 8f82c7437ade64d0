import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../../kernel/json-object.js';
import type { MessageEnding, StopReason } from './message.js';

interface EndingClues {
  readonly finishReason: string | null;
  /** The matched stop text, as reported by the engine. */
  readonly matchedStop: string | null;
  readonly stopSequences: readonly string[];
  readonly calledTools: boolean;
  readonly refused: boolean;
}

const ending = (reason: StopReason | null, sequence: string | null = null): MessageEnding => ({
  stop_reason: reason,
  stop_sequence: sequence,
  stop_details: null,
  container: null,
});

export const notEnded: MessageEnding = ending(null);
export const maxTokensReached: MessageEnding = ending('max_tokens');

/**
 * An answer with a tool call ends with `tool_use`, whatever the engine reports, so that agents run it; not a truncated answer, whose last
 * call is incomplete.
 */
export function endingOf({
  finishReason,
  matchedStop,
  stopSequences,
  calledTools,
  refused,
}: EndingClues): MessageEnding {
  if (finishReason === 'length') return maxTokensReached;
  if (finishReason === 'content_filter' || refused) return ending('refusal');
  if (calledTools) return ending('tool_use');
  // Engines also report their own end-of-turn marks here.
  if (matchedStop !== null && stopSequences.includes(matchedStop)) return ending('stop_sequence', matchedStop);
  return ending('end_turn');
}

/** The stop text that ended the answer, where the engine names it: vLLM, SGLang, llama.cpp; llama-server beside the choices. */
export function matchedStopIn(answer: JsonObject): string | null {
  const [choice] = elementsOf(answer['choices']);
  const named = isJsonObject(choice)
    ? ['stop_reason', 'matched_stop', 'stopping_word'].map((name) => choice[name])
    : [];
  if ('__verbose' in answer) named.push(objectIn(answer, '__verbose')['stopping_word']);
  return named.find((text): text is string => typeof text === 'string' && text !== '') ?? null;
}
