import type { Clock } from '../../kernel/clock.js';
import { isModelSelector, type ModelSelector, type NodeId } from '../../kernel/ids.js';
import { LruMap } from '../../kernel/lru-map.js';
import type { OnlineNode, ReportedModel } from '../nodes/registry/online-node.js';
import { scopeKey, type ClusterScope } from './cluster-scope.js';
import { KnownModel, type ModelNames } from './known-model.js';
import type { ModelLookup, Placement } from './model-entry.js';
import { modelList, type ListedModel } from './model-list.js';
import { formKey, inForm, plainForm, recordInForm, type ListForm } from './model-list-forms.js';
import { ScopedPlacements } from './scoped-placements.js';
import { publicNames, type PublicNames } from './public-names.js';

export interface NodeModel extends ModelNames {
  readonly selector: ModelSelector;
}

export interface SeenModel extends NodeModel {
  readonly firstSeenMs: number;
}

/** The stored models of an account. */
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

/** Limit of cached lists, one per scope; beyond it the cache is cleared. */
const CACHED_LIST_LIMIT = 64;

/**
 * All models of one account, online or not, in memory. A node's report touches only that node's models; public names are recomputed only
 * when a name was added or removed, lists only on request.
 */
export class AccountCatalogue {
  private readonly models = new Map<ModelSelector, KnownModel>();
  /** Models of online nodes, so that lists do not scan those of offline nodes. */
  private readonly online = new Set<KnownModel>();
  private readonly selectorsOf = new Map<NodeId, Set<ModelSelector>>();
  /** First-seen dates (Unix ms) of removed models: a reinstalled model keeps its date. */
  private readonly departed: LruMap<ModelSelector, number>;
  private readonly reported = new Set<NodeId>();
  private readonly lists = new Map<string, Buffer>();
  /** Cached lookups of names shared by several models. */
  private readonly ambiguous = new Map<string, ModelLookup>();
  /** Cached lookups of other names and of selectors: every request needs one, and a STATUS one for each model. */
  private readonly found = new Map<string, ModelLookup>();
  private names: PublicNames | null = null;
  private remembered = false;

  constructor(private readonly options: AccountCatalogueOptions) {
    this.departed = new LruMap(options.modelLimit);
  }

  /** Adds the stored models, except those of nodes that have reported since, whose reports are newer. */
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
   * Replaces the inventory of an online node.
   * @returns whether the node's models or names have changed and must be stored
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

  /** The node is no longer enrolled: removes models that no other node has. */
  forgetNode(nodeId: NodeId): void {
    for (const selector of this.selectors(nodeId)) this.forget(selector, nodeId);
    this.selectorsOf.delete(nodeId);
    this.reported.delete(nodeId);
    this.changed({ names: true });
  }

  /**
   * @param model an id, a selector, or a display name unless models with different canonical names share it; each in another case where no
   *   model has it in this one
   */
  find(model: string): ModelLookup {
    const cached = this.found.get(model);
    if (cached !== undefined) return cached;
    const claimants = isModelSelector(model) ? [model] : this.claimantsOf(model);
    return claimants === undefined ? this.findInAnotherCase(model) : this.lookUp(model, claimants);
  }

  /** Not cached: a name has as many spellings as it likes. */
  private findInAnotherCase(model: string): ModelLookup {
    const folded = model.toLowerCase();
    if (isModelSelector(folded)) return folded === model ? { kind: 'unknown' } : this.find(folded);
    const [name, ...others] = this.namesSpelled(folded);
    if (name === undefined) return { kind: 'unknown' };
    if (others.length === 0) return this.find(name);
    const selectors = new Set([name, ...others].flatMap((one) => this.publicNames().claims.get(one) ?? []));
    // No model is called so: the key is not that of a name.
    return this.lookUp(`\0${folded}`, [...selectors].sort());
  }

  private lookUp(model: string, claimants: readonly ModelSelector[]): ModelLookup {
    const [selector] = claimants;
    if (claimants.length > 1) return this.findAmbiguous(model, claimants);
    const known = selector === undefined ? undefined : this.models.get(selector);
    const name = selector === undefined ? undefined : this.publicNames().bySelector.get(selector);
    if (known === undefined || name === undefined) return { kind: 'unknown' };
    const lookup: ModelLookup = {
      kind: 'found',
      entry: { selector: known.selector, ...name, placements: (scope) => known.placements(scope) },
    };
    this.found.set(model, lookup);
    return lookup;
  }

  /** The JSON body of `GET /v1/models`, the same bytes until something changes: encoding a long list takes longer than sending it. */
  list(scope: ClusterScope, form = plainForm): Buffer {
    const key = `${formKey(form)} ${scopeKey(scope)}`;
    const cached = this.lists.get(key);
    if (cached !== undefined) return cached;
    if (this.lists.size >= CACHED_LIST_LIMIT) this.lists.clear();
    const body = Buffer.from(JSON.stringify(inForm(modelList(this.listed(), scope, this.options.ownedBy), form)));
    this.lists.set(key, body);
    return body;
  }

  /**
   * The JSON of one record as it is in the list; undefined: it is not there.
   * @param model as in a request. Of several models with one name the first that is loaded
   */
  record(model: string, scope: ClusterScope, form: ListForm): Buffer | undefined {
    const lookup = this.find(model);
    if (lookup.kind === 'unknown' || lookup.kind === 'ambiguous') return undefined;
    const selectors = lookup.kind === 'found' ? [lookup.entry.selector] : lookup.selectors;
    const { data } = modelList(this.listed(selectors), scope, this.options.ownedBy);
    const record = data.find(({ loaded }) => loaded) ?? data[0];
    return record && Buffer.from(JSON.stringify(recordInForm(record, form)));
  }

  ids(scope: ClusterScope): readonly string[] {
    return modelList(this.listed(), scope, this.options.ownedBy).data.map(({ id }) => id);
  }

  /** The models of a node, for the database. */
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

  /** Ollama lists `qwen3` as `qwen3:latest`, and knows both. */
  private claimantsOf(name: string): readonly ModelSelector[] | undefined {
    const { claims } = this.publicNames();
    return claims.get(name) ?? claims.get(`${name}:latest`);
  }

  private namesSpelled(folded: string): readonly string[] {
    const { byFoldedName } = this.publicNames();
    return byFoldedName.get(folded) ?? byFoldedName.get(`${folded}:latest`) ?? [];
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

  private *listed(only?: readonly ModelSelector[]): Iterable<ListedModel> {
    const { bySelector: names } = this.publicNames();
    const listed = only === undefined ? this.online : only.flatMap((selector) => this.models.get(selector) ?? []);
    for (const model of listed) {
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

  /** Undefined at the account's limit of models. */
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
    if (!names) return;
    this.names = null;
    this.found.clear();
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
 * Resolves a display name shared by several models (docs/reference/api-behaviour.md#order-of-checks, check 3). Models with one canonical
 * name (several quantizations or engines) count as one model, so that a client configured with the name still works when another one
 * appears.
 * @param models at least two, in the order of their selectors
 */
function ambiguousLookup(models: readonly KnownModel[]): ModelLookup {
  const selectors = models.map(({ selector }) => selector);
  const [first] = models;
  if (models.some(({ canonicalName }) => canonicalName !== first?.canonicalName)) {
    return { kind: 'ambiguous', selectors };
  }
  let placements: ScopedPlacements | null = null;
  return {
    kind: 'shared',
    selectors,
    placements: (scope) => {
      placements ??= new ScopedPlacements(
        models.flatMap((model) =>
          model.placements(null).map((placement): Placement => ({ ...placement, byAmbiguousName: true })),
        ),
      );
      return placements.in(scope);
    },
  };
}
