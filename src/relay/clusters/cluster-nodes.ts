import type { ModelState } from '../../kernel/dialect.js';
import type { AccountId, ClusterId, ModelSelector } from '../../kernel/ids.js';

/** Token of {@link ClusterNodes}: nodes are above clusters. */
export const CLUSTER_NODES = Symbol('ferry.cluster-nodes');

/** A node as far as its cluster shows it. */
export interface ClusterNode {
  readonly clusterId: ClusterId;
  readonly online: boolean;
  readonly models: readonly ClusterNodeModel[];
}

interface ClusterNodeModel {
  readonly selector: ModelSelector;
  readonly displayName: string;
  readonly state: ModelState;
}

export interface ClusterNodes {
  /** All nodes of the account. */
  list(accountId: AccountId): Promise<readonly ClusterNode[]>;
}
