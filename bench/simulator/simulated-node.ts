import type { AccountId, ClusterId, ModelSelector, NodeId } from '../../src/kernel/ids.js';
import type { StatusMessage } from '../../src/link/messages.js';
import type { ModelLookup, Placement } from '../../src/relay/inventory/model-entry.js';
import type { OnlineNode, ReportedModel } from '../../src/relay/nodes/registry/online-node.js';
import type { FleetView } from '../../src/relay/routing/selection/eligibility.js';
import { loadedModel } from '../fleet/loaded-model.js';
import type { Engine } from './engine.js';
import type { NodeSpecification } from './workload.js';

export const account = 'acc_simulated' as AccountId;
export const MODEL = 'simulated';
const selector = 'mdl_0000000000000000' as ModelSelector;

/** A simulated computer and the relay's view of it. */
export class SimulatedNode implements OnlineNode {
  readonly nodeId: NodeId;
  readonly accountId = account;
  readonly clusterId = 'cl_simulated' as ClusterId;
  readonly name: string;
  readonly models: ReadonlyMap<string, ReportedModel>;
  readonly hasReported = true;
  readonly acceptsWork = true;
  readonly freeStreams = Infinity;
  readonly roundTripMs: number;
  readonly status: StatusMessage;
  readonly placement: Placement;

  constructor(
    traits: NodeSpecification,
    readonly engine: Engine,
  ) {
    this.name = traits.name;
    this.nodeId = `nd_${traits.name}` as NodeId;
    this.roundTripMs = traits.roundTripMs;
    this.status = {
      engines: [{ name: 'engine', slots_total: traits.slots, slots_used: 0, queue_depth: 0 }],
      paused: false,
      draining: false,
      memory_free_bytes: null,
    };
    const report = loadedModel(MODEL, selector, traits.contextTokens);
    this.models = new Map([[report.key, report]]);
    this.placement = { node: this, report };
  }

  open(): never {
    throw new Error('a simulated node has no link');
  }
}

export class SimulatedFleet implements FleetView {
  private readonly lookup: ModelLookup;
  private readonly byId: ReadonlyMap<NodeId, SimulatedNode>;

  constructor(readonly nodes: readonly SimulatedNode[]) {
    const placements = nodes.map(({ placement }) => placement);
    this.byId = new Map(nodes.map((node) => [node.nodeId, node]));
    this.lookup = {
      kind: 'found',
      entry: { selector, id: MODEL, displayName: MODEL, placements: () => placements },
    };
  }

  node(nodeId: NodeId): SimulatedNode | undefined {
    return this.byId.get(nodeId);
  }

  find(): ModelLookup {
    return this.lookup;
  }
}
