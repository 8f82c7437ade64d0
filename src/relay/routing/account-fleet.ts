import type { AccountId, NodeId } from '../../kernel/ids.js';
import type { Catalogue } from '../inventory/catalogue.js';
import type { ModelLookup } from '../inventory/model-entry.js';
import type { NodeHealth } from '../nodes/health/node-health.js';
import type { OnlineNode } from '../nodes/registry/online-node.js';
import type { ReachableNodes } from '../nodes/registry/reachable-nodes.js';
import type { FleetView } from './selection/eligibility.js';

/** An account's nodes and models. A class: every request makes one, and closures would be made anew with it. */
export class AccountFleet implements FleetView {
  constructor(
    private readonly accountId: AccountId,
    private readonly reachable: Pick<ReachableNodes, 'onlineIn' | 'find'>,
    private readonly catalogue: Pick<Catalogue, 'find'>,
    readonly health: NodeHealth,
  ) {}

  get nodes(): Iterable<OnlineNode> {
    return this.reachable.onlineIn(this.accountId);
  }

  find(model: string): ModelLookup {
    return this.catalogue.find(this.accountId, model);
  }

  node(nodeId: NodeId): OnlineNode | undefined {
    return this.reachable.find(this.accountId, nodeId);
  }
}
