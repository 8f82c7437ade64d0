import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { printList } from '../../core/output/print-list.js';
import { formatBytes } from '../../core/output/quantities.js';
import type { Column } from '../../core/output/table.js';
import { nodesWithModels, stateText, summarize } from './node-models.js';
import type { Schemas } from '../../core/api/management-api.types.js';

interface Availability extends Pick<Schemas['NodeModel'], 'state' | 'reason' | 'size_bytes' | 'context_length'> {
  readonly model: Schemas['Model'];
  readonly cluster: string;
}

const columns: readonly Column<Availability>[] = [
  { heading: 'MODEL', value: ({ model }) => model.display_name },
  { heading: 'SELECTOR', value: ({ model }) => model.selector },
  { heading: 'CLUSTER', value: ({ cluster }) => cluster },
  // Installed is not loaded (docs/reference/public-api.md#routes): only a loaded model answers.
  { heading: 'STATE', value: stateText },
  { heading: 'SIZE', value: ({ size_bytes }) => (size_bytes === null ? '' : formatBytes(size_bytes)) },
  { heading: 'CONTEXT', value: ({ context_length }) => (context_length === null ? '' : String(context_length)) },
];

/** For people, one line per model and cluster; for programs, the list of the API. */
export async function listModels(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  const models = await api.list<Schemas['Model']>('/api/models');
  const whenEmpty = 'no models on any online node; see: ferry nodes';
  if (invocation.global.output !== 'table') {
    await printList(invocation, { rows: models, columns: [], whenEmpty });
    return;
  }
  const clusters = await api.list<Schemas['Cluster']>('/api/clusters');
  const names = new Map(clusters.map(({ cluster_id, name }) => [cluster_id, name]));
  const nodes = await nodesWithModels(api);
  const rows = models.flatMap((model) =>
    model.clusters.map(({ cluster_id, loaded }) => {
      const there = summarize(modelOn(nodes, model, cluster_id));
      // The inventory takes precedence; the nodes, queried a moment later, refine the state of installed models.
      const state = loaded ? 'loaded' : there.state === 'loaded' ? 'installed' : there.state;
      return { model, cluster: names.get(cluster_id) ?? cluster_id, ...there, state };
    }),
  );
  await printList(invocation, { rows, columns, whenEmpty });
}

const modelOn = (nodes: readonly Schemas['Node'][], model: Schemas['Model'], cluster: string): Schemas['NodeModel'][] =>
  nodes
    .filter(({ cluster_id }) => cluster_id === cluster)
    .flatMap(({ models }) => models.filter(({ selector }) => selector === model.selector));
