import type { ErrorCode } from '../../../kernel/errors/error-catalogue.js';
import type { Ending } from '../request/outcome.js';

/**
 * What a run says about the place where it was. `model_failed`: about the engine with this model · `node_failed`: about the node with all
 * of its models · `none`: the client left, the request was at fault, or the node refused before any work.
 */
export type HealthVerdict = 'good' | 'model_failed' | 'node_failed' | 'none';

const failures: ReadonlySet<ErrorCode> = new Set(['engine_error', 'engine_timeout', 'node_disconnected']);

export function verdictOf({ outcome, error, nodeAtFault }: Ending): HealthVerdict {
  if (outcome === 'completed') return 'good';
  if (error === null || !failures.has(error.code)) return 'none';
  if (outcome !== 'failed' && outcome !== 'timed_out') return 'none';
  return nodeAtFault === true || error.code === 'node_disconnected' ? 'node_failed' : 'model_failed';
}

export const isFailure = (verdict: HealthVerdict): boolean => verdict === 'model_failed' || verdict === 'node_failed';
