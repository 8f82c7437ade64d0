/**
 * Maps a failure reported by a node to the error for the client (docs/reference/api-behaviour.md#error-bodies). Messages are the engine's
 * own, bounded by the link.
 */
import { contextLengthExceeded } from '../../../dialects/context-length.js';
import { unsupportedThread } from '../../../dialects/messages/thread.js';
import type { Dialect } from '../../../kernel/dialect.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { ContextOverflow, EndMessage, NodeFailure, RejectReason } from '../../../link/messages.js';
import type { RelayStreamLoss } from '../../../link/stream/relay-stream.js';
import { engineRefusalOf } from './engine-refusal.js';
import { continuedNotFound, noNode } from '../selection/eligibility.js';
import { endedBecause, type RequestEnd } from './outcome.js';

/** Statuses of an engine that the client can do something about. */
const keptStatuses: readonly number[] = [400, 404, 413];
/** The engine has no route for the request of an extension. */
const NOT_IMPLEMENTED = 501;

export function outcomeOf(end: EndMessage, dialect: Dialect): RequestEnd {
  const { usage, timings } = end;
  if (end.outcome === 'completed') return { outcome: 'completed', error: null, reset: null, usage, timings };
  const error = end.failure === null ? nodeStopped() : engineError(end.failure, dialect);
  return { outcome: error.code === 'engine_timeout' ? 'timed_out' : 'failed', error, reset: null, usage, timings };
}

const nodeStopped = (): FerryError => new FerryError('engine_error', 'The node stopped the request.', runAlready);

/** The prompt was given to a node: no client may repeat it on its own (reliability, finding 7). */
const runAlready = { shouldRetry: false } as const;

function engineError(failure: NodeFailure, dialect: Dialect): FerryError {
  const { code, status, message, param, retry_after_seconds: seconds } = failure;
  if (failure.context_overflow != null) return tooLong(dialect, failure.context_overflow, message);
  if (code === 'previous_response_not_found') return continuedNotFound('responses', param ?? 'previous_response_id');
  if (dialect === 'messages' && code === 'invalid_request') {
    const fault = threadFault(failure);
    if (fault !== undefined) return fault;
  }
  const details = {
    ...runAlready,
    ...(param === null ? {} : { param }),
    ...(seconds === null ? {} : { retryAfterSeconds: seconds }),
    ...(failure.engine_code != null && code === 'engine_rejected_request' && { engineCode: failure.engine_code }),
  };
  const text = message === '' ? undefined : message;
  if (code === 'unsupported_capability' && status === NOT_IMPLEMENTED)
    return new FerryError('not_implemented', text, details);
  if (code !== 'engine_rejected_request') return new FerryError(code, text, details);
  // 401 and 403 concern the node's own credential, and 5xx is always a failure.
  if (status === 401 || status === 403 || (status ?? 0) >= 500) return new FerryError('engine_error', text, details);
  const refusal = engineRefusalOf(failure);
  if (refusal?.outcome.error != null) return refusal.outcome.error;
  const kept = keptStatuses.find((candidate) => candidate === status) ?? 400;
  return new FerryError(code, text, { ...details, status: kept });
}

function threadFault({ thread, param }: NodeFailure): FerryError | undefined {
  const field = param ?? 'thread';
  switch (thread) {
    case undefined:
    case null:
      // The node keeps no threads: the relay has checked the field itself.
      return field === 'thread' && param !== null ? unsupportedThread() : undefined;
    case 'not_found':
      return continuedNotFound('messages', field);
    case 'already_continued':
    case 'continue_in_flight':
      return new FerryError(`thread_${thread}`, undefined, { param: field });
    default:
      return thread satisfies never;
  }
}

const tooLong = (dialect: Dialect, overflow: ContextOverflow, message: string): FerryError =>
  contextLengthExceeded(dialect, {
    engineMessage: message,
    promptTokens: overflow.prompt_tokens,
    maxTokens: overflow.max_tokens,
    contextTokens: overflow.context_tokens,
  });

/** Every node that could be asked has refused the request as too long. */
export const overflowOutcome = (dialect: Dialect, overflow: ContextOverflow, message: string): RequestEnd =>
  endedBecause('failed', tooLong(dialect, overflow, message));

/** The stream was lost without a report from the engine. */
export function lossOutcome(loss: RelayStreamLoss): RequestEnd {
  switch (loss) {
    case 'timed_out':
      return notTaken();
    case 'window_overrun':
    case 'internal':
      return {
        ...endedBecause('failed', new FerryError('engine_error', 'The connection to the node failed.', runAlready)),
        nodeAtFault: true,
      };
    case 'node_disconnected':
    case 'cancelled':
    case 'failed_over':
    case 'unknown_stream':
    case 'superseded':
    case 'revoked':
    case 'draining':
      return endedBecause(
        'failed',
        new FerryError('node_disconnected', 'The serving computer disconnected.', runAlready),
      );
    default:
      return loss satisfies never;
  }
}

/** The node did not respond at all: that is not its engine's fault. */
export const notTaken = (): RequestEnd => ({
  ...endedBecause('timed_out', timedOut('The node did not accept the request in time.')),
  nodeAtFault: true,
});

export const timedOut = (message: string): FerryError => new FerryError('engine_timeout', message, runAlready);

/** No node is left; the error of the last one. */
export function refusalOutcome(reason: RejectReason): RequestEnd {
  switch (reason) {
    case 'busy':
      return endedBecause('rejected', new FerryError('capacity'));
    case 'not_loaded':
      return endedBecause('rejected', noNode('model_not_loaded'));
    case 'draining':
    case 'unsupported':
    case 'stale':
      return endedBecause('rejected', noNode('nodes_unavailable'));
    default:
      return reason satisfies never;
  }
}
