import type { ErrorCode } from '../../../kernel/errors/error-catalogue.js';
import type { Ending } from '../request/outcome.js';

/** What a run says about its node. `none`: the client left, the request was at fault, or the node refused before any work. */
export type HealthVerdict = 'good' | 'bad' | 'none';

const nodeFailures: ReadonlySet<ErrorCode> = new Set(['engine_error', 'engine_timeout', 'node_disconnected']);

export function verdictOf({ outcome, error }: Ending): HealthVerdict {
  if (outcome === 'completed') return 'good';
  if (error === null || !nodeFailures.has(error.code)) return 'none';
  return outcome === 'failed' || outcome === 'timed_out' ? 'bad' : 'none';
}
