import type { AccountId, ApiKeyId, ModelSelector } from '../../../kernel/ids.js';
import type { OnlineNode } from '../../nodes/registry/online-node.js';
import type { ClusterScope } from '../../inventory/cluster-scope.js';

/** The queue of requests whose model is not known yet, one per account: its nodes have not reconnected. */
export const anyModel = '' as ModelSelector;

/** The holder of a slot, or a request that waits for one. */
export interface SlotHolder {
  readonly accountId: AccountId;
  /** Slots are shared fairly between keys; absent: one key for all. */
  readonly keyPublicId?: ApiKeyId;
}

/** A node, by its models. */
export type ModelHost = Pick<OnlineNode, 'nodeId' | 'models'>;

/** A request that waits for a slot. */
export interface Waiting extends SlotHolder {
  /** Arrival number; lower is older. */
  readonly arrival: number;
  /** The clusters that may serve it; absent: all. */
  readonly scope?: ClusterScope;
  /** Prompt tokens that the node may have cached for the model, as far as known when it began to wait. Absent: none. */
  cachedPromptTokensOn?(node: ModelHost, selector: ModelSelector): number;
  /** Tries to start now; leaves the queue when it starts or can never start. True when it took a slot. */
  tryStart(): boolean;
}
