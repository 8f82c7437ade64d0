import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { confirm } from '../../core/output/confirm.js';
import { printData, silently } from '../../core/output/print-data.js';
import { firstAndMore } from '../../core/output/quantities.js';
import { printList } from '../../core/output/print-list.js';
import { printable } from '../../../kernel/printable.js';
import type { Column } from '../../core/output/table.js';
import { findCluster } from './find-cluster.js';
import type { Schemas } from '../../core/api/management-api.types.js';

/** @param short the first model, and how many more there are */
const columns = (short: boolean): readonly Column<Schemas['Cluster']>[] => [
  { heading: 'NAME', value: ({ name }) => name, min: 16 },
  { heading: 'NODES', value: ({ nodes }) => String(nodes), align: 'right' },
  { heading: 'ONLINE', value: ({ online }) => String(online), align: 'right' },
  { heading: 'MODELS LOADED', value: ({ loaded }) => (short ? firstAndMore(loaded) : loaded.join(', ')) },
  { heading: 'ID', value: ({ cluster_id }) => cluster_id, whole: true, wide: true },
];

export async function listClusters(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  await printList(invocation, {
    rows: await api.list('/api/clusters'),
    columns: columns(invocation.terminal.columns !== undefined && !invocation.global.wide),
    whenEmpty: 'no clusters yet; create one with: ferry clusters create NAME',
  });
}

/** Prints only the id on stdout, for scripts. */
export async function createCluster(invocation: Invocation, name: string): Promise<void> {
  const api = await connect(invocation);
  const created = await api.post('/api/clusters', { body: { name } });
  const { terminal } = invocation;
  terminal.note(`Created cluster ${printable(created.name)}.`);
  await printData(invocation, created, () => {
    terminal.print(created.cluster_id);
  });
}

export async function renameCluster(invocation: Invocation, cluster: string, name: string): Promise<void> {
  const api = await connect(invocation);
  const id = await findCluster(api, cluster);
  const renamed = await api.patch('/api/clusters/{clusterId}', {
    path: { clusterId: id },
    body: { name },
    whenMissing: 'ferry clusters',
  });
  invocation.terminal.note(`Renamed cluster ${printable(cluster)} to ${printable(renamed.name)}.`);
  await printData(invocation, renamed, silently);
}

/** The relay refuses while the cluster has nodes. */
export async function deleteCluster(
  invocation: Invocation,
  cluster: string,
  { yes }: { readonly yes?: true },
): Promise<void> {
  const api = await connect(invocation);
  const id = await findCluster(api, cluster, { whole: true });
  const { terminal } = invocation;
  if (yes !== true && !(await confirm(terminal, `Delete cluster ${printable(cluster)} (${id})?`))) {
    terminal.note('Nothing was deleted.');
    return;
  }
  const deleted = await api.delete('/api/clusters/{clusterId}', {
    path: { clusterId: id },
    whenMissing: 'ferry clusters',
  });
  terminal.note(`Deleted cluster ${printable(cluster)}.`);
  await printData(invocation, deleted, silently);
}
