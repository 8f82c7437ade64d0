import type { AccountId, ApiKeyId, ModelSelector } from '../../../kernel/ids.js';
import type { ClusterScope } from '../../inventory/cluster-scope.js';

/** The queue of requests whose model is not known yet, one per account: its nodes have not reconnected. */
export const anyModel = '' as ModelSelector;

/** The holder of a slot, or a request that waits for one. */
export interface SlotHolder {
  readonly accountId: AccountId;
  /** Slots are shared fairly between keys; absent: one key for all. */
  readonly keyPublicId?: ApiKeyId;
}

/** A request that waits for a slot. */
export interface Waiting extends SlotHolder {
  /** Arrival number; lower is older. */
  readonly arrival: number;
  /** The clusters that may serve it; absent: all. */
  readonly scope?: ClusterScope;
  /** Tries to start now; leaves the queue when it starts or can never start. True when it took a slot. */
  tryStart(): boolean;
}
