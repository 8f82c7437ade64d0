/** One management request to an engine, and what its refusals mean for the owner. */
import { setTimeout as delay } from 'node:timers/promises';
import { parseJson } from '../../../kernel/json-object.js';
import type { OperationFailureCode } from '../../../link/messages.js';
import { EngineFailure } from '../engine.js';
import { OperationFailure } from '../engine-management.js';
import { readErrorText, type EngineHttp, type EngineRequest } from './engine-http.js';
import type { EngineHttpResponse } from './response-handler.js';
import { readable, parseEngineError } from '../failures/error-parser.js';

const RESPONSE_LIMIT_BYTES = 8 * 1024 * 1024;
const DEFAULT_INTERVAL_MS = 250;

interface EngineCommand {
  readonly method: EngineRequest['method'];
  readonly path: string;
  readonly json?: unknown;
  /** Nothing else ends it: a load may take minutes. */
  readonly signal: AbortSignal;
}

/**
 * The engine's response, its body unread, for responses that stream. The body must be read or destroyed.
 * @throws OperationFailure for any status but 2xx; the signal's reason on abort
 */
export async function sendCommand(
  http: EngineHttp,
  { method, path, json, signal }: EngineCommand,
): Promise<EngineHttpResponse> {
  const body = json === undefined ? {} : { body: [Buffer.from(JSON.stringify(json))] };
  let response: EngineHttpResponse;
  try {
    response = await http.send({ method, path, ...body, signal });
  } catch (error) {
    throw unreachable(error);
  }
  if (response.statusCode >= 200 && response.statusCode < 300) return response;
  throw refusedCommand(response.statusCode, await readErrorText(response));
}

/**
 * The engine's whole response as parsed JSON; undefined for an empty or a plain one.
 * @throws OperationFailure for a refusal, be it with a status or inside a 200; the signal's reason on abort
 */
export async function command(http: EngineHttp, request: EngineCommand): Promise<unknown> {
  const response = await sendCommand(http, request);
  let text: string | undefined;
  try {
    text = await response.body.text(RESPONSE_LIMIT_BYTES);
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    throw unreachable(error);
  }
  const value = parseJson(text ?? '');
  const error = parseEngineError(value);
  if (error !== undefined) throw refusedCommand(error.status ?? response.statusCode, text ?? '');
  return value;
}

/** A refusal by its status, and by the engine's words where those say more. */
function refusedCommand(status: number, text: string): OperationFailure {
  const message = parseEngineError(parseJson(text))?.message ?? (text.startsWith('<') ? '' : readable(text));
  if (status === 401 || status === 403) {
    return new OperationFailure(
      'engine_error',
      `The engine rejects the node's credential (${status}). Check "api_key_env" of this engine.`,
    );
  }
  if (message === '')
    return new OperationFailure('engine_error', `The engine answered ${status} without an explanation.`);
  return new OperationFailure(failureCodeOf(message) ?? (status === 404 ? 'unknown_model' : 'engine_error'), message);
}

/** Used for an engine's error that came without a status, such as a line of a progress stream. */
export const refusedInWords = (message: string): OperationFailure =>
  new OperationFailure(failureCodeOf(message) ?? 'engine_error', readable(message));

const words: readonly (readonly [OperationFailureCode, RegExp])[] = [
  [
    'disk_full',
    /no space left|not enough (?:disk )?space|disk (?:is )?full|insufficient (?:disk )?(?:space|storage)|ENOSPC/i,
  ],
  [
    'out_of_memory',
    /out of (?:\w+ )?memory|\bOOM\b|(?:not enough|insufficient) (?:\w+ )?(?:memory|resources)|requires more (?:system )?memory|cannot allocate|failed to allocate/i,
  ],
  ['checksum_mismatch', /(?:digest|checksum|sha-?256).*mismatch|mismatch.*(?:digest|checksum)/i],
  [
    'network',
    /no such host|dial tcp|network|ENOTFOUND|EAI_AGAIN|ECONN(?:REFUSED|RESET)|TLS handshake|could not resolve|connection (?:refused|reset|error|timed out)|i\/o timeout/i,
  ],
  [
    'unknown_model',
    /(?:model|file|manifest|repository|entry)\b.*\b(?:not found|does not exist|doesn't exist|unknown)|(?:not found|unknown|no such)\b.*\bmodel|file does not exist|\bno (?:such )?model\b/i,
  ],
];

const failureCodeOf = (message: string): OperationFailureCode | undefined =>
  words.find(([, pattern]) => pattern.test(message))?.[0];

/** Replaces what {@link EngineHttp} throws when no response comes; the reason of an abort passes. */
function unreachable(error: unknown): unknown {
  if (!(error instanceof EngineFailure)) return error;
  return new OperationFailure('engine_unreachable', error.message, { cause: error });
}

/**
 * Asks again and again until `probe` gives something; for engines that answer "accepted" and go on by themselves.
 * @throws what `probe` throws; the signal's reason on abort
 */
export async function until<Value>(
  signal: AbortSignal,
  probe: () => Promise<Value | undefined>,
  intervalMs = DEFAULT_INTERVAL_MS,
): Promise<Value> {
  for (;;) {
    signal.throwIfAborted();
    const value = await probe();
    if (value !== undefined) return value;
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
  }
}
