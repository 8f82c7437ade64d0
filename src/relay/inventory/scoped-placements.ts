import { inScope, scopeKey, type ClusterScope } from './cluster-scope.js';
import type { Placement } from './model-entry.js';

/** Limit of cached scopes; beyond it the cache is cleared. */
const CACHED_SCOPE_LIMIT = 64;

/** Placements of a model by scope. The list of a scope is the same object each time, so that others can keep what they know about it. */
export class ScopedPlacements {
  private readonly byScope = new Map<string, readonly Placement[]>();

  constructor(private readonly all: readonly Placement[]) {}

  in(scope: ClusterScope): readonly Placement[] {
    if (scope === null) return this.all;
    const key = scopeKey(scope);
    let placements = this.byScope.get(key);
    if (placements === undefined) {
      if (this.byScope.size >= CACHED_SCOPE_LIMIT) this.byScope.clear();
      placements = this.all.filter(({ node }) => inScope(scope, node.clusterId));
      this.byScope.set(key, placements);
    }
    return placements;
  }
}
