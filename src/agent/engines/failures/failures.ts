/**
 * Maps engine errors to the failures that the node reports; a refusal by the engine keeps its status class
 * (docs/reference/api-behaviour.md#error-bodies).
 */
import { parseJson } from '../../../kernel/json-object.js';
import type { NodeFailure } from '../../../link/messages.js';
import { EngineFailure } from '../engine.js';
import { capabilityRefusal } from './capability-refusal.js';
import { contextRefusal } from './context-refusal.js';
import { plainError, readable, parseEngineError, type ParsedError } from './error-parser.js';

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

/**
 * A refusal that names a fault of the request, whatever its status: llama-server answers 500 to a malformed tool, and a client's mistake must
 * not count against the engine (docs/reference/engines.md#request-refusals). Undefined when the error is about something else.
 */
function requestRefusal(error: ParsedError): EngineFailure | undefined {
  const refusal = refusals.find(({ words }) => words.test(error.message));
  if (refusal === undefined) return undefined;
  const param = error.param ?? refusal.param;
  const { message } = error;
  return new EngineFailure({ code: 'engine_rejected_request', status: 400, message, param, retry_after_seconds: null });
}

const RETRY_AFTER_LIMIT_SECONDS = 3_600;

/** The engine failed, or sent an invalid answer. 503 until the first event, an in-stream error after it. */
export const engineError = (message: string, cause?: unknown): EngineFailure =>
  new EngineFailure(
    { code: 'engine_error', status: 503, message, param: null, retry_after_seconds: null },
    cause === undefined ? undefined : { cause },
  );

/** An error inside a 200. Its own status decides whether it is a client error; without one it is an engine error. */
export function failureInResponse(error: ParsedError): EngineFailure {
  const refusal = refusalIn(error);
  if (refusal !== undefined) return refusal;
  const unavailable = error.status === null ? undefined : unavailableIn(error.status, error.message, null);
  if (unavailable !== undefined) return unavailableFailure(unavailable, error, null);
  const status = error.status === null ? undefined : clientStatus(error.status);
  return status === undefined ? engineError(error.message) : rejected(status, error);
}

interface ErrorResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** The model lacks a requested capability, or the request exceeds its context, or is malformed. */
const refusalIn = (error: ParsedError): EngineFailure | undefined =>
  capabilityRefusal(error) ?? contextRefusal(error) ?? requestRefusal(error);

/** A status other than 200. */
export function failureOfStatus({ status, retryAfter, text }: ErrorResponse): EngineFailure {
  const error = parseEngineError(parseJson(text));
  if (status === 401 || status === 403) {
    // The node's key for the engine is wrong, not the client's credential (docs/reference/security.md#headers).
    return engineError(`The engine rejects the node's credential (${status}). Check \`api_key_env\` of this engine.`);
  }
  if (status >= 300 && status < 400)
    return engineError(`The engine answered with a redirect (${status}), which is not followed.`);
  const refusal = error === undefined ? undefined : refusalIn(error);
  if (refusal !== undefined) return refusal;
  const seconds = retryAfterSeconds(retryAfter);
  const unavailable = unavailableIn(status, error?.message ?? text, seconds);
  if (unavailable !== undefined) {
    return unavailableFailure(unavailable, error ?? plainError(describePage(status, text), status), seconds);
  }
  const kept = clientStatus(status);
  // A 404 without an error body comes from a wrong address, which is not a client error.
  if (kept === undefined || (kept === 404 && error === undefined)) {
    return engineError(error?.message ?? describePage(status, text));
  }
  return rejected(kept, error ?? plainError(describePage(status, text), status));
}

type Unavailable = NonNullable<NodeFailure['unavailable']>;

const BUSY =
  /\b(?:too many requests|overloaded|queue is full|no (?:available )?slots?\b|at capacity|try again|retry later)/i;

/** Whether the engine has refused the request before it computed anything, and why. */
function unavailableIn(status: number, message: string, retryAfter: number | null): Unavailable | undefined {
  if (status === 429) return 'busy';
  if (status !== 503) return undefined;
  if (/\bloading\b/i.test(message)) return 'loading';
  return retryAfter !== null || BUSY.test(message) ? 'busy' : undefined;
}

const unavailableFailure = (
  unavailable: Unavailable,
  { message, code }: ParsedError,
  retryAfter: number | null,
): EngineFailure =>
  new EngineFailure({
    code: 'engine_rejected_request',
    status: 429,
    message,
    param: null,
    ...(code !== null && { engine_code: code }),
    unavailable,
    retry_after_seconds: retryAfter,
  });

function clientStatus(status: number): 400 | 404 | 413 | undefined {
  switch (status) {
    case 404:
    case 413:
      return status;
    case 400:
    case 409:
    case 422:
    // llama.cpp answers 501 for features disabled by its flags.
    case 501:
      return 400;
    default:
      return undefined;
  }
}

const rejected = (status: 400 | 404 | 413, error: ParsedError): EngineFailure =>
  new EngineFailure({
    code: 'engine_rejected_request',
    status,
    message: error.message,
    param: error.param,
    ...(error.code !== null && { engine_code: error.code }),
    retry_after_seconds: null,
  } satisfies NodeFailure);

/** Plain text is passed on, a web page (such as a proxy's 502) is not. */
function describePage(status: number, text: string): string {
  const plain = readable(text);
  return plain === '' || plain.startsWith('<') || plain.startsWith('{')
    ? `The engine answered ${status} without an explanation.`
    : `The engine answered ${status}: ${plain}`;
}

function retryAfterSeconds(header: string | undefined): number | null {
  if (header === undefined || !/^\d{1,9}$/.test(header)) return null;
  return Math.min(Number(header), RETRY_AFTER_LIMIT_SECONDS);
}

/** The error to throw for a failed connection: the signal's reason after an abort. */
export function lostConnection(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EHOSTUNREACH':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return engineError('The engine cannot be reached. Is it running?', error);
    default:
      return engineError('The engine closed the connection before the response was complete.', error);
  }
}
