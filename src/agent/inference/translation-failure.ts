/** Converts errors of the dialects to failures that a node reports. */
import { parseExact } from '../../kernel/exact-json.js';
import type { ErrorCode } from '../../kernel/errors/error-catalogue.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { nodeFailure, type NodeFailure } from '../../link/messages.js';
import { EngineFailure } from '../engines/engine.js';

/**
 * Parses the client's body in its dialect.
 * @throws EngineFailure with a 400 when it is not JSON, or the dialect refuses it
 */
export const parseRequest = <Envelope>(body: Buffer, read: (json: unknown) => Envelope): Envelope =>
  asNodeFailure(() => read(parseJson(body)));

/** @throws EngineFailure in place of any FerryError */
export function asNodeFailure<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof FerryError ? new EngineFailure(failureOf(error), { cause: error }) : error;
  }
}

function failureOf({ code, status, message, param }: FerryError): NodeFailure {
  const known = nodeFailure.shape.code.safeParse(code);
  const thread = threadFaults.get(code);
  return {
    code: known.data ?? (status < 500 ? 'invalid_request' : 'engine_error'),
    status,
    message,
    param,
    retry_after_seconds: null,
    ...(thread !== undefined && { thread }),
  };
}

const threadFaults: ReadonlyMap<ErrorCode, NodeFailure['thread']> = new Map([
  ['thread_not_found', 'not_found'],
  ['thread_already_continued', 'already_continued'],
  ['thread_continue_in_flight', 'continue_in_flight'],
]);

const BYTE_ORDER_MARK = /^\uFEFF/;

function parseJson(body: Buffer): unknown {
  try {
    return parseExact(body.toString('utf8').replace(BYTE_ORDER_MARK, ''));
  } catch (error) {
    throw new FerryError('invalid_json', undefined, { cause: error });
  }
}
