import type { NodeId } from '../../../kernel/ids.js';

/**
 * `suspect`: gets nothing. `probing`: gets one request at a time, and only while no healthy node has room; when that one is completed, the
 * node is healthy again.
 */
export type NodeHealthState = 'healthy' | 'suspect' | 'probing';

export type SuspicionReason = 'failures' | 'unconfirmed_stop' | 'stalled';

/** What eligibility, choice and the list of nodes need to know of a node's health. */
export interface HealthView {
  stateOf(nodeId: NodeId): NodeHealthState;
  /** Why it is not healthy; null when it is. */
  reasonOf(nodeId: NodeId): SuspicionReason | null;
  /** A probe is under way there: until it is over, the node takes nothing more. */
  isProbed(nodeId: NodeId): boolean;
}

/** For where health is not looked at. */
export const everybodyHealthy: HealthView = {
  stateOf: () => 'healthy',
  reasonOf: () => null,
  isProbed: () => false,
};
