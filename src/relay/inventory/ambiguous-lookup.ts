import { inScope } from './cluster-scope.js';
import type { KnownModel } from './known-model.js';
import type { ModelLookup, Placement } from './model-entry.js';

/**
 * What a display name of several models means (docs/reference/api-behaviour.md#order-of-checks, check 3). Models of one canonical name
 * are one model to clients, in several quantizations or from several engines: a client that was configured with the name must not break
 * when the next one appears.
 * @param models at least two, in the order of their selectors
 */
export function ambiguousLookup(models: readonly KnownModel[]): ModelLookup {
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
