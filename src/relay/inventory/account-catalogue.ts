import type { Clock } from '../../kernel/clock.js';
import { isModelSelector, type ModelSelector, type NodeId } from '../../kernel/ids.js';
import { LruMap } from '../../kernel/lru-map.js';
import type { OnlineNode, ReportedModel } from '../nodes/registry/online-node.js';
import { scopeKey, type ClusterScope, inScope } from './cluster-scope.js';
import { KnownModel, type ModelNames } from './known-model.js';
import type { ModelLookup, Placement } from './model-entry.js';
import { modelList, type ListedModel } from './model-list.js';
import { publicNames, type PublicNames } from './public-names.js';

export interface NodeModel extends ModelNames {
  readonly selector: ModelSelector;
}

export interface SeenModel extends NodeModel {
  readonly firstSeenMs: number;
}

/** What the database remembers of an account's models. */
export interface StoredModels {
  readonly firstSeenMs: ReadonlyMap<ModelSelector, number>;
  readonly models: readonly (NodeModel & { readonly nodeId: NodeId })[];
}

export interface AccountCatalogueOptions {
  readonly clock: Clock;
  readonly ownedBy: string;
  /** Models beyond this many are neither listed nor served. */
  readonly modelLimit: number;
}

/** Every distinct scope costs one list; an account with more keys than this starts over. */
const CACHED_LIST_LIMIT = 64;

/**
 * All models of one account, known and online, always in memory. A node's report touches only that node's models; public names are
 * worked out again only when a name came or went, lists only when somebody asks.
 */
export class AccountCatalogue {
  private readonly models = new Map<ModelSelector, KnownModel>();
  /** Those that some online node has: lists cost nothing for computers that are switched off. */
  private readonly online = new Set<KnownModel>();
  private readonly selectorsOf = new Map<NodeId, Set<ModelSelector>>();
  /** When models that no node has any more were first seen, in Unix ms: one that is installed again keeps its date. */
  private readonly departed: LruMap<ModelSelector, number>;
  private readonly reported = new Set<NodeId>();
  private readonly lists = new Map<string, string>();
  /** Lookups of names that several models have, until something changes: a request for one must not collect its models again. */
  private readonly ambiguous = new Map<string, ModelLookup>();
  private names: PublicNames | null = null;
  private remembered = false;

  constructor(private readonly options: AccountCatalogueOptions) {
    this.departed = new LruMap(options.modelLimit);
  }

  /** Takes over what is stored, except about nodes that have reported since: they know better. */
  remember({ firstSeenMs, models }: StoredModels): void {
    for (const [selector, seenMs] of firstSeenMs) this.rememberFirstSeen(selector, seenMs);
    for (const { nodeId, selector, displayName, canonicalName } of models) {
      if (this.reported.has(nodeId)) continue;
      const model = this.modelOf(selector);
      if (model === undefined) continue;
      model.namesByNode.set(nodeId, { displayName, canonicalName });
      this.selectors(nodeId).add(selector);
    }
    this.remembered = true;
    this.changed({ names: true });
  }

  /**
   * Takes over the complete inventory of a node that is online.
   * @returns whether the models or names known of this node have changed, which is what must be stored.
   */
  report(node: OnlineNode): boolean {
    let changed = !this.remembered;
    const reports = bySelector(node.models.values());
    for (const selector of this.selectors(node.nodeId)) {
      if (reports.has(selector)) continue;
      this.forget(selector, node.nodeId);
      changed = true;
    }
    const selectors = new Set<ModelSelector>();
    for (const [selector, ofModel] of reports) {
      const model = this.modelOf(selector);
      if (model === undefined) continue;
      if (model.report(node, ofModel)) changed = true;
      this.online.add(model);
      selectors.add(selector);
    }
    this.selectorsOf.set(node.nodeId, selectors);
    this.reported.add(node.nodeId);
    this.changed({ names: changed });
    return changed;
  }

  /** The node's models stay known, so that ids do not change. */
  disconnected(nodeId: NodeId): void {
    for (const selector of this.selectors(nodeId)) {
      const model = this.models.get(selector);
      if (model?.offline(nodeId) === true) this.online.delete(model);
    }
    this.changed({ names: false });
  }

  /** The node is no longer enrolled: what only it had is unknown from now on. */
  forgetNode(nodeId: NodeId): void {
    for (const selector of this.selectors(nodeId)) this.forget(selector, nodeId);
    this.selectorsOf.delete(nodeId);
    this.reported.delete(nodeId);
    this.changed({ names: true });
  }

  /** @param model an id or a selector; a display name works too, unless models of different canonical names have it. */
  find(model: string): ModelLookup {
    const claimants = isModelSelector(model) ? [model] : (this.publicNames().claims.get(model) ?? []);
    const [selector] = claimants;
    if (claimants.length > 1) return this.findAmbiguous(model, claimants);
    const known = selector === undefined ? undefined : this.models.get(selector);
    const name = selector === undefined ? undefined : this.publicNames().bySelector.get(selector);
    if (known === undefined || name === undefined) return { kind: 'unknown' };
    return {
      kind: 'found',
      entry: { selector: known.selector, ...name, placements: (scope) => known.placements(scope) },
    };
  }

  /** The JSON body of `GET /v1/models`, the same text until something changes. */
  list(scope: ClusterScope): string {
    const key = scopeKey(scope);
    const cached = this.lists.get(key);
    if (cached !== undefined) return cached;
    if (this.lists.size >= CACHED_LIST_LIMIT) this.lists.clear();
    const body = JSON.stringify(modelList(this.listed(), scope, this.options.ownedBy));
    this.lists.set(key, body);
    return body;
  }

  /** What the database should remember of a node. */
  modelsOf(nodeId: NodeId): readonly SeenModel[] {
    const models: SeenModel[] = [];
    for (const selector of this.selectors(nodeId)) {
      const model = this.models.get(selector);
      const names = model?.namesByNode.get(nodeId);
      if (model !== undefined && names !== undefined) {
        models.push({ selector, firstSeenMs: model.firstSeenMs, ...names });
      }
    }
    return models;
  }

  private findAmbiguous(name: string, selectors: readonly ModelSelector[]): ModelLookup {
    let lookup = this.ambiguous.get(name);
    if (lookup === undefined) {
      const models = selectors.flatMap((selector) => this.models.get(selector) ?? []);
      lookup = ambiguousLookup(models);
      this.ambiguous.set(name, lookup);
    }
    return lookup;
  }

  private *listed(): Iterable<ListedModel> {
    const { bySelector: names } = this.publicNames();
    for (const model of this.online) {
      const name = names.get(model.selector);
      if (name === undefined) continue;
      yield {
        ...name,
        selector: model.selector,
        canonicalName: model.canonicalName,
        firstSeenMs: model.firstSeenMs,
        advertisements: model.advertisements(),
      };
    }
  }

  private publicNames(): PublicNames {
    this.names ??= publicNames(
      Array.from(this.models.values(), (model) => [model.selector, model.displayNames()] as const),
    );
    return this.names;
  }

  /** Undefined when the account already has as many models as it may have. */
  private modelOf(selector: ModelSelector): KnownModel | undefined {
    const known = this.models.get(selector);
    if (known !== undefined) return known;
    if (this.models.size >= this.options.modelLimit) return undefined;
    const model = new KnownModel(selector, this.departed.get(selector) ?? this.options.clock.wallMs());
    this.departed.delete(selector);
    this.models.set(selector, model);
    return model;
  }

  private rememberFirstSeen(selector: ModelSelector, firstSeenMs: number): void {
    const known = this.models.get(selector);
    if (known === undefined) this.departed.set(selector, firstSeenMs);
    else known.firstSeenMs = firstSeenMs;
  }

  private selectors(nodeId: NodeId): Set<ModelSelector> {
    let selectors = this.selectorsOf.get(nodeId);
    if (selectors === undefined) this.selectorsOf.set(nodeId, (selectors = new Set()));
    return selectors;
  }

  private forget(selector: ModelSelector, nodeId: NodeId): void {
    const model = this.models.get(selector);
    if (model === undefined) return;
    if (model.offline(nodeId)) this.online.delete(model);
    if (!model.forget(nodeId)) return;
    this.models.delete(selector);
    this.departed.set(selector, model.firstSeenMs);
  }

  private changed({ names }: { readonly names: boolean }): void {
    this.lists.clear();
    this.ambiguous.clear();
    if (names) this.names = null;
  }
}

function bySelector(reports: Iterable<ReportedModel>): Map<ModelSelector, ReportedModel[]> {
  const grouped = new Map<ModelSelector, ReportedModel[]>();
  for (const report of reports) {
    const group = grouped.get(report.selector);
    if (group === undefined) grouped.set(report.selector, [report]);
    else group.push(report);
  }
  return grouped;
}

/**
 * Resolves a display name that several models share (docs/reference/api-behaviour.md#order-of-checks, check 3). Models of one canonical name
 * are one model to clients, in several quantizations or from several engines: a client that was configured with the name must not break
 * when the next one appears.
 * @param models at least two, in the order of their selectors
 */
function ambiguousLookup(models: readonly KnownModel[]): ModelLookup {
  const selectors = models.map(({ selector }) => selector);
  const [first] = models;
  if (models.some(({ canonicalName }) => canonicalName !== first?.canonicalName)) {
    return { kind: 'ambiguous', selectors };
  }
  let placements: readonly Placement[] | null = null;
  return {
    kind: 'shared',
    selectors,
    placements: (scope) => {
      placements ??= models.flatMap((model) =>
        model.placements(null).map((placement): Placement => ({ ...placement, byAmbiguousName: true })),
      );
      if (scope === null) return placements;
      return placements.filter(({ node }) => inScope(scope, node.clusterId));
    },
  };
}
