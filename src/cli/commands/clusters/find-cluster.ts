import type { ManagementApi } from '../../core/api/management-api.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Schemas } from '../../core/api/management-api.types.js';

/** Names by id, for tables; a cluster without one there is shown by its id. */
export async function clusterNames(api: ManagementApi): Promise<(clusterId: string) => string> {
  const clusters = await api.list<Schemas['Cluster']>('/api/clusters');
  const names = new Map(clusters.map(({ cluster_id, name }) => [cluster_id, name]));
  return (clusterId) => names.get(clusterId) ?? clusterId;
}

/**
 * The id of the cluster with this id or name.
 * @throws CliError (not found), or (usage) when several clusters have the name
 */
export async function findCluster(api: ManagementApi, idOrName: string): Promise<string> {
  const clusters = await api.list<Schemas['Cluster']>('/api/clusters');
  const byId = clusters.find(({ cluster_id }) => cluster_id === idOrName);
  if (byId !== undefined) return byId.cluster_id;
  const [first, ...others] = clusters.filter(({ name }) => name === idOrName);
  if (first === undefined) {
    throw new CliError('cluster_not_found', exitCodes.notFound, `there is no cluster "${idOrName}"`, {
      hint: 'ferry clusters',
    });
  }
  if (others.length > 0) {
    const ids = [first, ...others].map(({ cluster_id }) => cluster_id).join(', ');
    throw new CliError('usage', exitCodes.usage, `several clusters are called "${idOrName}": ${ids}`, {
      hint: 'name one by its id',
    });
  }
  return first.cluster_id;
}
