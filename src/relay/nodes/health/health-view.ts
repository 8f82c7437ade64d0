import type { NodeId } from '../../../kernel/ids.js';

/**
 * `suspect`: gets nothing while anything better could serve the request. `probing`: gets one request at a time, and only while nothing
 * healthy has room; when one is completed, it is healthy again.
 */
export type NodeHealthState = 'healthy' | 'suspect' | 'probing';

export type SuspicionReason = 'failures' | 'unconfirmed_stop' | 'stalled';

/** A state, and why it is not `healthy`; null when it is. */
export interface Health {
  readonly state: NodeHealthState;
  readonly reason: SuspicionReason | null;
}

export const healthy: Health = { state: 'healthy', reason: null };

/** What eligibility, choice and the list of nodes need to know. A model of a node is at best as healthy as the node itself. */
export interface HealthView {
  stateOf(nodeId: NodeId, modelKey: string): NodeHealthState;
  /** A probe is under way there: until it is over, nothing more goes there while anything better could serve the request. */
  isProbed(nodeId: NodeId, modelKey: string): boolean;
  /** For people. */
  healthOf(nodeId: NodeId, modelKey: string): Health;
  /** For people: of the node and its models, whichever is worst. */
  worstOf(nodeId: NodeId): Health;
}

/** For where health is not looked at. */
export const alwaysHealthy: HealthView = {
  stateOf: () => 'healthy',
  isProbed: () => false,
  healthOf: () => healthy,
  worstOf: () => healthy,
};
