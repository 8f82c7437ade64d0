/** Refusals of an engine that have cost nothing: it computed nothing, so that another node may be asked first. */
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { NodeFailure } from '../../../link/messages.js';
import { endedBecause, type RequestEnd } from './outcome.js';

const BUSY_RETRY_AFTER_SECONDS = 2;

export interface EngineRefusal {
  readonly reason: 'busy' | 'loading' | 'unsupported';
  /** For the client, where no other node takes the request. */
  readonly outcome: RequestEnd;
}

/** Undefined for any other failure. */
export function engineRefusalOf(failure: NodeFailure): EngineRefusal | undefined {
  const { unavailable, code, status, message, param, retry_after_seconds: seconds } = failure;
  if (code === 'unsupported_capability') {
    const error = new FerryError(code, message || undefined, param === null ? {} : { param });
    return { reason: 'unsupported', outcome: endedBecause('failed', error) };
  }
  if (unavailable === 'loading') {
    const wait = seconds === null ? {} : { retryAfterSeconds: seconds };
    const error = new FerryError('no_node_for_user', undefined, { reason: 'model_loading', ...wait });
    return { reason: 'loading', outcome: endedBecause('rejected', error) };
  }
  // A node of an earlier version does not say so.
  if (unavailable !== 'busy' && status !== 429) return undefined;
  const error = new FerryError('capacity', message || undefined, {
    retryAfterSeconds: seconds ?? BUSY_RETRY_AFTER_SECONDS,
    ...(failure.engine_code != null && { engineCode: failure.engine_code }),
  });
  return { reason: 'busy', outcome: endedBecause('rejected', error) };
}
