/** How a request ended. Each accepted request has exactly one outcome (design, point 2). */
import type { ErrorCode } from '../../../kernel/errors/error-catalogue.js';
import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { EndMessage, ResetReason } from '../../../link/messages.js';
import type { HealthVerdict } from '../../nodes/health/health-verdict.js';
import type { RequestOutcome } from '../../platform/http/request-context.js';

/** The end of a request. */
export interface RequestEnd {
  readonly outcome: RequestOutcome;
  /** The error for the client; null when the response is complete or the client is gone. */
  readonly error: FerryError | null;
  /** The reset reason for a node that still works on it; null when the node has ended it. */
  readonly reset: ResetReason | null;
  /** As the node reported it; null when it did not get to it. */
  readonly usage: EndMessage['usage'];
  /** It failed because of the node and not of one of its engines. Absent: its code says which. */
  readonly nodeAtFault?: true;
  /** As the node measured them; absent when it did not get to the end. */
  readonly timings?: EndMessage['timings'];
}

export const endedBecause = (
  outcome: Exclude<RequestOutcome, 'completed'>,
  error: FerryError,
  reset: ResetReason | null = null,
): RequestEnd => ({ outcome, error, reset, usage: null });

const failures: ReadonlySet<ErrorCode> = new Set(['engine_error', 'engine_timeout', 'node_disconnected']);

/** The consequence for the health of the node or the model. */
export function verdictOf({ outcome, error, nodeAtFault }: RequestEnd): HealthVerdict {
  if (outcome === 'completed') return 'good';
  if (error === null || !failures.has(error.code)) return 'none';
  if (outcome !== 'failed' && outcome !== 'timed_out') return 'none';
  return nodeAtFault === true || error.code === 'node_disconnected' ? 'node_failed' : 'model_failed';
}

/** An error that a node which reconnects can remove. A conversation is continued only by the node that has it. */
export const isOfNodes = (code: ErrorCode): boolean =>
  code === 'no_node_for_user' || code === 'previous_response_not_found' || code === 'thread_not_found';
