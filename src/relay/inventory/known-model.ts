import type { ModelSelector, NodeId } from '../../kernel/ids.js';
import type { OnlineNode, ReportedModel } from '../nodes/registry/online-node.js';
import type { ClusterScope } from './cluster-scope.js';
import type { Placement } from './model-entry.js';
import { ScopedPlacements } from './scoped-placements.js';
import type { Advertisement } from './model-list.js';

export interface ModelNames {
  readonly displayName: string;
  readonly canonicalName: string;
}

interface Presence {
  readonly node: OnlineNode;
  readonly reports: readonly ReportedModel[];
}

/** One model of one account: the nodes that have it, its names there, and which of them are online. */
export class KnownModel {
  /** Names at every enrolled node that had the model at its last report. */
  readonly namesByNode = new Map<NodeId, ModelNames>();
  private readonly online = new Map<NodeId, Presence>();
  /** Cached because requests read them often and reports are rare. */
  private cachedPlacements: ScopedPlacements | null = null;

  constructor(
    readonly selector: ModelSelector,
    public firstSeenMs: number,
  ) {}

  get canonicalName(): string {
    // Equal for all nodes, because the selector is a hash of it.
    for (const { canonicalName } of this.namesByNode.values()) return canonicalName;
    return this.selector;
  }

  *displayNames(): Iterable<string> {
    for (const { displayName } of this.namesByNode.values()) yield displayName;
  }

  *advertisements(): Iterable<Advertisement> {
    for (const { node, reports } of this.online.values()) {
      yield { clusterId: node.clusterId, loaded: reports.some(({ state }) => state === 'loaded') };
    }
  }

  placements(scope: ClusterScope): readonly Placement[] {
    this.cachedPlacements ??= new ScopedPlacements(
      [...this.online.values()].flatMap(({ node, reports }) => reports.map((report) => ({ node, report }))),
    );
    return this.cachedPlacements.in(scope);
  }

  /** @returns whether the names under which this node knows the model have changed. */
  report(node: OnlineNode, reports: readonly ReportedModel[]): boolean {
    this.online.set(node.nodeId, { node, reports });
    this.cachedPlacements = null;
    const names = namesOf(reports);
    const before = this.namesByNode.get(node.nodeId);
    this.namesByNode.set(node.nodeId, names);
    return before?.displayName !== names.displayName || before.canonicalName !== names.canonicalName;
  }

  /** @returns whether no online node has the model. */
  offline(node: NodeId): boolean {
    this.online.delete(node);
    this.cachedPlacements = null;
    return this.online.size === 0;
  }

  /** @returns whether no node has the model any more. */
  forget(node: NodeId): boolean {
    this.namesByNode.delete(node);
    return this.namesByNode.size === 0;
  }
}

/** Engines of one node may name a model differently: the smallest name is used, independent of the order of reports. */
function namesOf(reports: readonly ReportedModel[]): ModelNames {
  let displayName = '';
  let canonicalName = '';
  for (const { display_name, canonical_name } of reports) {
    if (displayName === '' || display_name < displayName) displayName = display_name;
    canonicalName = canonical_name;
  }
  return { displayName, canonicalName };
}
