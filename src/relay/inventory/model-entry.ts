import type { ModelSelector } from '../../kernel/ids.js';
import type { OnlineNode, ReportedModel } from '../nodes/online/online-node.js';
import type { ClusterScope } from './cluster-scope.js';

/** One engine of one online node that has the model, loaded or not. */
export interface Placement {
  readonly node: OnlineNode;
  readonly report: ReportedModel;
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
  /** Several models carry this display name: the client must choose one of their selectors. */
  | { readonly kind: 'ambiguous'; readonly selectors: readonly ModelSelector[] }
  | { readonly kind: 'unknown' };
