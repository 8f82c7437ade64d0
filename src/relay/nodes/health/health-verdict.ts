/**
 * What a run says about the place where it was. `model_failed`: about the engine with this model · `node_failed`: about the node with all
 * of its models · `none`: the client left, the request was at fault, or the node refused before any work.
 */
export type HealthVerdict = 'good' | 'model_failed' | 'node_failed' | 'none';

export const isFailure = (verdict: HealthVerdict): boolean => verdict === 'model_failed' || verdict === 'node_failed';
