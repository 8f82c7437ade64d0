import type { AccountId, NodeId } from '../../../kernel/ids.js';

/** A node that is connected to another replica of the relay. */
export interface NodeElsewhere {
  readonly acceptsWork: boolean;
}

type Find = (accountId: AccountId, nodeId: NodeId) => NodeElsewhere | undefined;

/** Asks whoever knows of the nodes of the other replicas; until someone does, there are none. */
export class NodesElsewhere {
  private source: Find = () => undefined;

  askInstead(source: Find): void {
    this.source = source;
  }

  find(accountId: AccountId, nodeId: NodeId): NodeElsewhere | undefined {
    return this.source(accountId, nodeId);
  }
}
