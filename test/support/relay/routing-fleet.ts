/** A fake fleet for tests of routing: nodes with models, without links. */
import type { AccountId, ClusterId, ModelSelector, NodeId } from '../../../src/kernel/ids.js';
import type { ModelReport, OpenMessage, StatusMessage } from '../../../src/link/messages.js';
import type { RelayLinkStream } from '../../../src/link/stream/relay-stream.js';
import { inScope } from '../../../src/relay/inventory/cluster-scope.js';
import type { ModelLookup, Placement } from '../../../src/relay/inventory/model-entry.js';
import type { CheckedResponse } from '../../../src/relay/nodes/registry/checked-response.js';
import type { OnlineNode, ReportedModel } from '../../../src/relay/nodes/registry/online-node.js';
import type { FleetView } from '../../../src/relay/routing/selection/eligibility.js';
import { modelReport } from '../link/model-report.js';

export const account = 'acc_test' as AccountId;
export const clusterA = 'cl_aaaaaaaa' as ClusterId;
export const clusterB = 'cl_bbbbbbbb' as ClusterId;
export const selector = 'mdl_0123456789abcdef' as ModelSelector;

export interface NodeTraits {
  readonly cluster?: ClusterId;
  readonly slots?: number;
  readonly acceptsWork?: boolean;
  /** Requests that its link may have at once; absent: any number. */
  readonly linkStreams?: number;
  /** Absent: one loaded model `tiny`. */
  readonly models?: readonly Partial<ReportedModel>[];
  readonly open?: (head: OpenMessage, body: Buffer, handler: CheckedResponse) => RelayLinkStream;
}

export const reportedModel = (traits: Partial<ReportedModel> = {}): ReportedModel => ({
  ...modelReport('tiny', { key: 'engine/tiny', engine: 'engine', tools: true }),
  selector,
  ...traits,
});

export const statusOf = (engines: Readonly<Record<string, number>>): StatusMessage => ({
  engines: Object.entries(engines).map(([name, slots]) => ({
    name,
    slots_total: slots,
    slots_used: 0,
    queue_depth: 0,
  })),
  paused: false,
  draining: false,
  memory_free_bytes: null,
});

export class FakeNode implements OnlineNode {
  readonly nodeId: NodeId;
  readonly accountId = account;
  readonly clusterId: ClusterId;
  readonly models: ReadonlyMap<string, ReportedModel>;
  readonly roundTripMs = null;
  status: StatusMessage | null;
  hasReported = true;
  acceptsWork: boolean;
  /** Of the node's link. */
  openStreams: () => number = () => 0;

  constructor(
    readonly name: string,
    private readonly traits: NodeTraits = {},
  ) {
    this.nodeId = `nd_${name}` as NodeId;
    this.clusterId = traits.cluster ?? clusterA;
    this.acceptsWork = traits.acceptsWork ?? true;
    this.status = statusOf({ engine: traits.slots ?? 1 });
    const models = (traits.models ?? [{}]).map(reportedModel);
    this.models = new Map(models.map((model): [ModelReport['key'], ReportedModel] => [model.key, model]));
  }

  get freeStreams(): number {
    return Math.max(0, (this.traits.linkStreams ?? Infinity) - this.openStreams());
  }

  open(head: OpenMessage, body: Buffer, handler: CheckedResponse): RelayLinkStream {
    if (this.traits.open === undefined) throw new Error('this fleet is only looked at');
    handler.validate(head);
    return this.traits.open(head, body, handler);
  }
}

/** @param ambiguous a display name that several models have */
export class FakeFleet implements FleetView {
  constructor(
    readonly nodes: FakeNode[],
    /** Known names that no online node has. */
    private readonly known: readonly string[] = [],
    private readonly ambiguous: ReadonlyMap<string, readonly ModelSelector[]> = new Map(),
  ) {}

  find(model: string): ModelLookup {
    const selectors = this.ambiguous.get(model);
    if (selectors !== undefined) return { kind: 'ambiguous', selectors };
    const placements = this.placements(model);
    if (placements.length === 0 && !this.known.includes(model)) return { kind: 'unknown' };
    const found = [...new Set(placements.map(({ report }) => report.selector))];
    if (found.length > 1) {
      return {
        kind: 'shared',
        selectors: found,
        placements: (scope) =>
          placements
            .filter(({ node }) => inScope(scope, node.clusterId))
            .map((placement) => ({ ...placement, byAmbiguousName: true as const })),
      };
    }
    return {
      kind: 'found',
      entry: {
        selector,
        id: model,
        displayName: model,
        placements: (scope) => this.placements(model).filter(({ node }) => inScope(scope, node.clusterId)),
      },
    };
  }

  node(nodeId: NodeId): FakeNode | undefined {
    return this.nodes.find((node) => node.nodeId === nodeId);
  }

  private placements(model: string): Placement[] {
    return this.nodes.flatMap((node) =>
      [...node.models.values()].filter((report) => report.display_name === model).map((report) => ({ node, report })),
    );
  }
}
