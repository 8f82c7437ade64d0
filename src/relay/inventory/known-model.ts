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
  /** All names of the last report of a node whose engines name the model differently; only one of them is stored. */
  private readonly allNames = new Map<NodeId, readonly string[]>();
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
    for (const [node, { displayName }] of this.namesByNode) yield* this.allNames.get(node) ?? [displayName];
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
    const otherNames = this.keepAllNames(node.nodeId, reports);
    return otherNames || before?.displayName !== names.displayName || before.canonicalName !== names.canonicalName;
  }

  /** @returns whether they have changed, for a node with more than one. */
  private keepAllNames(node: NodeId, reports: readonly ReportedModel[]): boolean {
    const before = this.allNames.get(node) ?? [];
    const names = reports.length < 2 ? [] : [...new Set(reports.map(({ display_name }) => display_name))].sort();
    if (names.length < 2) return this.allNames.delete(node);
    this.allNames.set(node, names);
    return names.length !== before.length || names.some((name, index) => name !== before[index]);
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
    this.allNames.delete(node);
    return this.namesByNode.size === 0;
  }
}

/** Engines of one node may name a model differently: the smallest name is stored, independent of the order of reports. */
function namesOf(reports: readonly ReportedModel[]): ModelNames {
  let displayName = '';
  let canonicalName = '';
  for (const { display_name, canonical_name } of reports) {
    if (displayName === '' || display_name < displayName) displayName = display_name;
    canonicalName = canonical_name;
  }
  return { displayName, canonicalName };
}
