import { connect } from '../connection/connect.js';
import type { Invocation } from '../invocation.js';
import { printList } from '../output/print-list.js';
import type { Column } from '../output/table.js';

/** As `GET /v1/models` and `GET /api/models` have it (spec §2.1). */
interface ModelRecord {
  readonly id: string;
  readonly selector?: string;
  readonly clusters: readonly { readonly cluster_id: string; readonly loaded?: boolean }[];
}

interface Availability {
  readonly model: ModelRecord;
  readonly cluster: string;
  readonly loaded: boolean;
}

const columns: readonly Column<Availability>[] = [
  { heading: 'MODEL', value: ({ model }) => model.id },
  { heading: 'SELECTOR', value: ({ model }) => model.selector ?? '' },
  { heading: 'CLUSTER', value: ({ cluster }) => cluster },
  // Installed is not loaded (spec §1): only a loaded model answers.
  { heading: 'STATE', value: ({ loaded }) => (loaded ? 'loaded' : 'installed') },
];

/** For people one line per model and cluster; for programs the list of the API. */
export async function listModels(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  const models = await api.list<ModelRecord>('/api/models');
  const whenEmpty = 'no models on any online node; see: ferry nodes';
  if (invocation.global.output === 'json') {
    printList(invocation, { rows: models, columns: [], whenEmpty });
    return;
  }
  const clusters = await api.list<{ readonly cluster_id: string; readonly name: string }>('/api/clusters');
  const names = new Map(clusters.map(({ cluster_id, name }) => [cluster_id, name]));
  const rows = models.flatMap((model) =>
    model.clusters.map(({ cluster_id, loaded = false }) => ({
      model,
      cluster: names.get(cluster_id) ?? cluster_id,
      loaded,
    })),
  );
  printList(invocation, { rows, columns, whenEmpty });
}
