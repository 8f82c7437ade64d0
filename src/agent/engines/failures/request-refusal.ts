/**
 * Recognises refusals that name a fault of the request, whatever their status: llama-server answers 500 to a malformed tool, and a client's
 * mistake must not count against the engine (docs/reference/engines.md#request-refusals).
 */
import { EngineFailure } from '../engine.js';
import type { ParsedError } from './error-parser.js';

interface Refusal {
  readonly words: RegExp;
  /** The request field at fault. */
  readonly param: string;
}

const refusals: readonly Refusal[] = [
  // llama-server, also behind LiteLLM.
  { words: /\bfailed to parse tools\b/i, param: 'tools' },
  { words: /\bfailed to parse messages\b|\bcannot apply chat template to an empty conversation\b/i, param: 'messages' },
  { words: /\bfailed to parse (?:json[ _]schema|grammar)\b|^grammar error:/i, param: 'response_format' },
];

/** Undefined when the engine's error is about something else. */
export function requestRefusal(error: ParsedError): EngineFailure | undefined {
  const refusal = refusals.find(({ words }) => words.test(error.message));
  if (refusal === undefined) return undefined;
  const param = error.param ?? refusal.param;
  const { message } = error;
  return new EngineFailure({ code: 'engine_rejected_request', status: 400, message, param, retry_after_seconds: null });
}
