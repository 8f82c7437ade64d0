import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../../kernel/json-object.js';
import type { MessageOutcome, StopReason } from './message.js';

interface OutcomeClues {
  readonly finishReason: string | null;
  /** The matched stop text, as reported by the engine. */
  readonly matchedStop: string | null;
  readonly stopSequences: readonly string[];
  readonly calledTools: boolean;
  readonly refused: boolean;
}

const outcome = (reason: StopReason | null, sequence: string | null = null): MessageOutcome => ({
  stop_reason: reason,
  stop_sequence: sequence,
  stop_details: null,
  container: null,
});

export const notEnded: MessageOutcome = outcome(null);
export const maxTokensReached: MessageOutcome = outcome('max_tokens');

/**
 * A response with a tool call ends with `tool_use`, whatever the engine reports, so that agents run it; not a truncated answer, whose last
 * call is incomplete.
 */
export function outcomeOf({
  finishReason,
  matchedStop,
  stopSequences,
  calledTools,
  refused,
}: OutcomeClues): MessageOutcome {
  if (finishReason === 'length') return maxTokensReached;
  if (finishReason === 'content_filter' || refused) return outcome('refusal');
  if (calledTools) return outcome('tool_use');
  // Engines also report their own end-of-turn marks here.
  if (matchedStop !== null && stopSequences.includes(matchedStop)) return outcome('stop_sequence', matchedStop);
  return outcome('end_turn');
}

/** The stop text that ended the response, where the engine names it: vLLM, SGLang, llama.cpp; llama-server beside the choices. */
export function matchedStopIn(response: JsonObject): string | null {
  const [choice] = elementsOf(response['choices']);
  const named = isJsonObject(choice)
    ? ['stop_reason', 'matched_stop', 'stopping_word'].map((name) => choice[name])
    : [];
  if ('__verbose' in response) named.push(objectIn(response, '__verbose')['stopping_word']);
  return named.find((text): text is string => typeof text === 'string' && text !== '') ?? null;
}
