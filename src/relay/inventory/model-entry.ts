import type { ModelSelector } from '../../kernel/ids.js';
import type { OnlineNode, ReportedModel } from '../nodes/registry/online-node.js';
import type { ClusterScope } from './cluster-scope.js';

/** One engine of one online node that has the model, loaded or not. */
export interface Placement {
  readonly node: OnlineNode;
  readonly report: ReportedModel;
  /** Requested by a display name that several models share: the response must name the model. */
  readonly byAmbiguousName?: true;
}

export interface ModelEntry {
  readonly selector: ModelSelector;
  /** The id in `GET /v1/models`, the same for every scope. */
  readonly id: string;
  readonly displayName: string;
  /** Empty while all its nodes are offline. */
  placements(scope: ClusterScope): readonly Placement[];
}

export type ModelLookup =
  | { readonly kind: 'found'; readonly entry: ModelEntry }
  /** Several models with one canonical name share this display name: any of them may serve a request. */
  | {
      readonly kind: 'shared';
      readonly selectors: readonly ModelSelector[];
      /** Returns the placements of all these models, marked as `byAmbiguousName`. */
      placements(scope: ClusterScope): readonly Placement[];
    }
  /** Models with different canonical names share this display name: the client must use a selector. */
  | { readonly kind: 'ambiguous'; readonly selectors: readonly ModelSelector[] }
  | { readonly kind: 'unknown' };
