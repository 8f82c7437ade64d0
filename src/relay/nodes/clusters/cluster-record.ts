import type { ModelSelector } from '../../../kernel/ids.js';
import type { Cluster } from '../../clusters/clusters.store.js';
import type { NodeView } from '../nodes.service.js';
import { unixSeconds } from '../../api/list-answer.js';

/** One row of the cluster roster (docs/reference/public-api.md#routes). */
export interface ClusterRecord {
  readonly object: 'cluster';
  readonly cluster_id: string;
  readonly name: string;
  /** Enrolled, online or not. */
  readonly nodes: number;
  readonly online: number;
  /** Display names of the models that are resident and ready on an online node, in alphabetical order. */
  readonly loaded: readonly string[];
  /** How many models its online nodes have, loaded or not. */
  readonly models: number;
  /** Seconds since 1970. */
  readonly created: number;
}

/** @param nodes all of the account */
export function clusterRecord(
  { id, name, createdAt }: Cluster,
  nodes: readonly Pick<NodeView, 'clusterId' | 'online' | 'models'>[],
): ClusterRecord {
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
