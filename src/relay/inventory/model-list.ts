/** The body of `GET /v1/models` (docs/reference/public-api.md#model-record), a pure function of the nodes' reports. */
import { ApiProperty } from 'nest-swagger';
import type { ClusterId, ModelSelector } from '../../kernel/ids.js';
import { inScope, type ClusterScope } from './cluster-scope.js';

export interface Advertisement {
  readonly clusterId: ClusterId;
  readonly loaded: boolean;
}

export interface ListedModel {
  readonly id: string;
  readonly selector: ModelSelector;
  readonly displayName: string;
  readonly canonicalName: string;
  readonly firstSeenMs: number;
  /** One per online node and engine that has the model; none while its nodes are offline. */
  readonly advertisements: Iterable<Advertisement>;
}

export class ClusterAvailability {
  @ApiProperty({ type: 'string' })
  readonly cluster_id: ClusterId;
  @ApiProperty()
  readonly loaded: boolean;
}

export class ModelRecord {
  @ApiProperty({ description: 'Name of the model in requests.', example: 'Qwen3 8B' })
  readonly id: string;
  @ApiProperty({ type: 'string', description: 'Stable id of the model, which also works in requests.' })
  readonly selector: ModelSelector;
  @ApiProperty({ example: 'Qwen3 8B' })
  readonly display_name: string;
  @ApiProperty({ example: 'qwen3:8b' })
  readonly canonical_name: string;
  @ApiProperty({ enum: ['model'] })
  readonly object: 'model';
  @ApiProperty({ type: 'integer', description: 'When the model was first seen, in seconds since 1970.' })
  readonly created: number;
  @ApiProperty({ example: 'ferry' })
  readonly owned_by: string;
  @ApiProperty({ description: 'Whether it is loaded on an online node.' })
  readonly loaded: boolean;
  @ApiProperty({ type: () => [ClusterAvailability] })
  readonly clusters: readonly ClusterAvailability[];
}

export class ModelList {
  @ApiProperty({ enum: ['list'] })
  readonly object: 'list';
  @ApiProperty({ type: () => [ModelRecord] })
  readonly data: readonly ModelRecord[];
}

/**
 * Models of online nodes in the scope, loaded or installed, ordered by id. `loaded` depends on the scope; ids do not.
 */
export function modelList(models: Iterable<ListedModel>, scope: ClusterScope, ownedBy: string): ModelList {
  const data: ModelRecord[] = [];
  for (const model of models) {
    const clusters = availability(model.advertisements, scope);
    if (clusters.length > 0) data.push(record(model, clusters, ownedBy));
  }
  data.sort((left, right) => byText(left.id, right.id));
  return { object: 'list', data };
}

function availability(advertisements: Iterable<Advertisement>, scope: ClusterScope): ClusterAvailability[] {
  const loadedIn = new Map<ClusterId, boolean>();
  for (const { clusterId, loaded } of advertisements) {
    if (inScope(scope, clusterId)) loadedIn.set(clusterId, loaded || loadedIn.get(clusterId) === true);
  }
  return [...loadedIn]
    .map(([cluster_id, loaded]) => ({ cluster_id, loaded }))
    .sort((left, right) => byText(left.cluster_id, right.cluster_id));
}

const record = (model: ListedModel, clusters: readonly ClusterAvailability[], ownedBy: string): ModelRecord => ({
  id: model.id,
  selector: model.selector,
  display_name: model.displayName,
  canonical_name: model.canonicalName,
  object: 'model',
  created: Math.floor(model.firstSeenMs / 1_000),
  owned_by: ownedBy,
  loaded: clusters.some(({ loaded }) => loaded),
  clusters,
});

/** Compares by code units, independent of the locale. */
const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
