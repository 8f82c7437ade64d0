import type { NodeId } from '../../../kernel/ids.js';

/**
 * `suspect`: used only when no better candidate can serve the request. `probing`: gets one request at a time, and only while no healthy
 * candidate has a free slot; a completed request makes it healthy again.
 */
export type NodeHealthState = 'healthy' | 'suspect' | 'probing';

export type SuspicionReason = 'failures' | 'unconfirmed_stop' | 'stalled';

/** A state, and why it is not `healthy`; null when it is. */
export interface Health {
  readonly state: NodeHealthState;
  readonly reason: SuspicionReason | null;
}

export const healthy: Health = { state: 'healthy', reason: null };

/** Read access for eligibility, selection and the list of nodes. A model of a node is at best as healthy as the node. */
export interface HealthView {
  /** Nodes with trouble of their own or of a model; 0: all are healthy. */
  readonly size: number;
  stateOf(nodeId: NodeId, modelKey: string): NodeHealthState;
  /** Whether a probe is running; until it ends, other requests avoid the model if a better candidate can serve them. */
  isProbed(nodeId: NodeId, modelKey: string): boolean;
  /** Used for display. */
  healthOf(nodeId: NodeId, modelKey: string): Health;
  /** Used for display: the worst health of the node and its models. */
  worstOf(nodeId: NodeId): Health;
}

/** Callers that ignore health pass this view. */
export const alwaysHealthy: HealthView = {
  size: 0,
  stateOf: () => 'healthy',
  isProbed: () => false,
  healthOf: () => healthy,
  worstOf: () => healthy,
};
