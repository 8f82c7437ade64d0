import { ApiProperty } from 'nest-swagger';
import type { ModelSelector } from '../../kernel/ids.js';
import type { Cluster } from './clusters.store.js';
import type { ClusterNode } from './cluster-nodes.js';
import { unixSeconds } from '../platform/api/list-response.js';

/** A cluster in `/api/clusters` (docs/reference/public-api.md#routes). */
export class ClusterRecord {
  @ApiProperty({ enum: ['cluster'] })
  readonly object: 'cluster';
  @ApiProperty({ description: 'Value for `X-Cluster-ID`.' })
  readonly cluster_id: string;
  @ApiProperty({ example: 'home' })
  readonly name: string;
  @ApiProperty({ type: 'integer', description: 'Number of enrolled nodes, online or not.', example: 2 })
  readonly nodes: number;
  @ApiProperty({ type: 'integer', example: 1 })
  readonly online: number;
  @ApiProperty({
    type: [String],
    description: 'Display names of the models loaded on online nodes, in alphabetical order.',
    example: ['Qwen3 8B'],
  })
  readonly loaded: readonly string[];
  @ApiProperty({ type: 'integer', description: 'Number of models on its online nodes, loaded or not.', example: 3 })
  readonly models: number;
  @ApiProperty({ type: 'integer', description: 'Creation time, in seconds since 1970.' })
  readonly created: number;
}

/** @param nodes all nodes of the account */
export function clusterRecord({ id, name, createdAt }: Cluster, nodes: readonly ClusterNode[]): ClusterRecord {
  const members = nodes.filter(({ clusterId }) => clusterId === id);
  const online = members.filter((node) => node.online);
  const models = new Set<ModelSelector>();
  const loaded = new Set<string>();
  for (const { selector, displayName, state } of online.flatMap((node) => node.models)) {
    models.add(selector);
    if (state === 'loaded') loaded.add(displayName);
  }
  return {
    object: 'cluster',
    cluster_id: id,
    name,
    nodes: members.length,
    online: online.length,
    loaded: [...loaded].sort(),
    models: models.size,
    created: unixSeconds(createdAt),
  };
}
