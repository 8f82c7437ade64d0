/**
 * What a finished request says about the health of its model and node. `model_failed`: this model on the node failed · `node_failed`: the
 * node failed · `none`: the client disconnected, the request was invalid, or the node refused it before any work.
 */
export type HealthVerdict = 'good' | 'model_failed' | 'node_failed' | 'none';

export const isFailure = (verdict: HealthVerdict): boolean => verdict === 'model_failed' || verdict === 'node_failed';
