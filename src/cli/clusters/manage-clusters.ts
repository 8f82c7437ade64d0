import { connect } from '../connection/connect.js';
import type { Invocation } from '../invocation.js';
import { printList } from '../output/print-list.js';
import { printable } from '../output/printable.js';
import type { Column } from '../output/table.js';

/** As `GET /api/clusters` has it. */
interface ClusterRecord {
  readonly cluster_id: string;
  readonly name: string;
  readonly nodes: number;
  readonly online: number;
  /** Names of the models that are resident and ready on an online node. */
  readonly loaded: readonly string[];
  readonly models: number;
  readonly created: number;
}

const columns: readonly Column<ClusterRecord>[] = [
  { heading: 'CLUSTER', value: (cluster) => cluster.cluster_id },
  { heading: 'NAME', value: (cluster) => cluster.name },
  { heading: 'NODES', value: (cluster) => String(cluster.nodes) },
  { heading: 'ONLINE', value: (cluster) => String(cluster.online) },
  { heading: 'LOADED', value: (cluster) => cluster.loaded.join(', ') },
];

export async function listClusters(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  printList(invocation, {
    rows: await api.list<ClusterRecord>('/api/clusters'),
    columns,
    whenEmpty: 'no clusters yet; create one with: ferry clusters create NAME',
  });
}

/** The id alone on stdout, so that scripts can take it from there. */
export async function createCluster(invocation: Invocation, name: string): Promise<void> {
  const api = await connect(invocation);
  const created = await api.post<ClusterRecord>('/api/clusters', { name });
  const { terminal, global } = invocation;
  terminal.note(`Created cluster ${printable(created.name)}.`);
  terminal.print(global.output === 'json' ? JSON.stringify(created) : created.cluster_id);
}
