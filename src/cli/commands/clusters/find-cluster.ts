import type { ManagementApi } from '../../core/api/management-api.js';
import { pickNamed, type Naming } from '../../core/args/pick-named.js';
import type { Schemas } from '../../core/api/management-api.types.js';

/** Names by id, for tables; a cluster without one there is shown by its id. */
export async function clusterNames(api: ManagementApi): Promise<(clusterId: string) => string> {
  const clusters = await api.list('/api/clusters');
  const names = new Map(clusters.map(({ cluster_id, name }) => [cluster_id, name]));
  return (clusterId) => names.get(clusterId) ?? clusterId;
}

const naming: Naming<Schemas['Cluster']> = {
  what: 'cluster',
  code: 'cluster_not_found',
  list: 'ferry clusters',
  ids: ({ cluster_id }) => [cluster_id],
  names: ({ name }) => [name],
};

/**
 * The id of the cluster with this id or name, or with this part in its name.
 * @throws CliError (not found), or (usage) when several clusters fit
 */
export async function findCluster(
  api: ManagementApi,
  given: string,
  options: { readonly whole?: boolean } = {},
): Promise<string> {
  return pickNamed(await api.list('/api/clusters'), given, naming, options).cluster_id;
}
