import type { AccountId, ClusterId, ModelSelector, NodeId } from '../../src/kernel/ids.js';
import { systemClock } from '../../src/kernel/clock.js';
import type { StatusMessage } from '../../src/link/messages.js';
import type { RelayLinkStream } from '../../src/link/stream/relay-stream.js';
import { AccountCatalogue } from '../../src/relay/inventory/account-catalogue.js';
import type { OnlineNode, ReportedModel } from '../../src/relay/nodes/registry/online-node.js';
import { loadedModel } from '../fleet/loaded-model.js';
import type { FleetView } from '../../src/relay/routing/selection/eligibility.js';

export const account = 'acc_bench' as AccountId;
/** Nodes take turns in these. */
const clusters = ['cl_even', 'cl_odd'] as ClusterId[];

export const modelName = (index: number): string => `model-${index}`;
export const clusterOf = (index: number): ClusterId => clusters[index % clusters.length] ?? ('' as ClusterId);

const CONTEXT_TOKENS = 32_768;
const selectorOf = (index: number): ModelSelector => `mdl_${index.toString(16).padStart(16, '0')}` as ModelSelector;

/** A node without a link: what it is asked to run never answers, and ends when the request is ended. */
class LinklessNode implements OnlineNode {
  readonly nodeId: NodeId;
  readonly accountId = account;
  readonly clusterId: ClusterId;
  readonly name: string;
  readonly models: ReadonlyMap<string, ReportedModel>;
  readonly hasReported = true;
  readonly acceptsWork = true;
  readonly freeStreams = Infinity;
  readonly roundTripMs = 5;
  readonly status: StatusMessage;

  constructor(index: number, reports: readonly ReportedModel[], slots: number) {
    this.name = `node-${index}`;
    this.nodeId = `nd_${index.toString(16).padStart(32, '0')}` as NodeId;
    this.clusterId = clusterOf(index);
    this.models = new Map(reports.map((report) => [report.key, report]));
    this.status = {
      engines: [{ name: 'engine', slots_total: slots, slots_used: 0, queue_depth: 0 }],
      paused: false,
      draining: false,
      memory_free_bytes: null,
    };
  }

  open(): RelayLinkStream {
    return { id: 1, consumed: () => undefined, reset: () => false };
  }
}

/** Nodes that all have all models loaded, in the inventory of the relay. */
export class LargeFleet implements FleetView {
  readonly nodes: readonly LinklessNode[];
  private readonly byId: ReadonlyMap<NodeId, LinklessNode>;
  private readonly catalogue = new AccountCatalogue({ clock: systemClock, ownedBy: 'bench', modelLimit: 10_000 });

  constructor(nodes: number, models: number, slots: number) {
    // The relay, too, keeps equal reports of several nodes once.
    const reports = Array.from({ length: models }, (_, model) =>
      loadedModel(modelName(model), selectorOf(model), CONTEXT_TOKENS),
    );
    this.nodes = Array.from({ length: nodes }, (_, index) => new LinklessNode(index, reports, slots));
    this.byId = new Map(this.nodes.map((node) => [node.nodeId, node]));
    for (const node of this.nodes) this.catalogue.report(node);
  }

  node(nodeId: NodeId): LinklessNode | undefined {
    return this.byId.get(nodeId);
  }

  find(model: string): ReturnType<AccountCatalogue['find']> {
    return this.catalogue.find(model);
  }
}
