/**
 * What a finished request says about the health of its model and node. `model_failed`: this model on the node failed · `node_failed`: the
 * node failed · `none`: the client disconnected, the request was invalid, or the node refused it before any work.
 */
export type HealthVerdict = SharedVerdict | 'none';

/** Those that other replicas are told, too. */
export const sharedVerdicts = ['good', 'model_failed', 'node_failed'] as const;
export type SharedVerdict = (typeof sharedVerdicts)[number];

export const isFailure = (verdict: HealthVerdict): boolean => verdict === 'model_failed' || verdict === 'node_failed';
