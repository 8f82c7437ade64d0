import type { ModelSelector } from '../../kernel/ids.js';
import type { OnlineNode, ReportedModel } from '../nodes/registry/online-node.js';
import type { ClusterScope } from './cluster-scope.js';

/** One engine of one online node that has the model, loaded or not. */
export interface Placement {
  readonly node: OnlineNode;
  readonly report: ReportedModel;
  /** It was asked for by a display name that several models have: the answer must say which of them it is from. */
  readonly byAmbiguousName?: true;
}

export interface ModelEntry {
  readonly selector: ModelSelector;
  /** What `GET /v1/models` calls it, the same for every scope. */
  readonly id: string;
  readonly displayName: string;
  /** Empty when the model is known from nodes that are offline now. */
  placements(scope: ClusterScope): readonly Placement[];
}

export type ModelLookup =
  | { readonly kind: 'found'; readonly entry: ModelEntry }
  /** Several models of one canonical name have this display name: for a request any of them will do. */
  | {
      readonly kind: 'shared';
      readonly selectors: readonly ModelSelector[];
      /** Of all these models, marked as `byAmbiguousName`. */
      placements(scope: ClusterScope): readonly Placement[];
    }
  /** Models of different canonical names have this display name: the client must choose one of their selectors. */
  | { readonly kind: 'ambiguous'; readonly selectors: readonly ModelSelector[] }
  | { readonly kind: 'unknown' };
