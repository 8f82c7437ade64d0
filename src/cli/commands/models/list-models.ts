import { clusterNames } from '../clusters/find-cluster.js';
import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { printList } from '../../core/output/print-list.js';
import { formatCount } from '../../core/output/quantities.js';
import type { Column } from '../../core/output/table.js';
import { localMinute } from '../../core/output/time.js';
import { contextText, markOfModel, nodesWithModels, sizeText, stateText, summarize, withState } from './node-models.js';
import type { Schemas } from '../../core/api/management-api.types.js';

interface Availability extends Pick<Schemas['NodeModel'], 'state' | 'reason' | 'size_bytes' | 'context_length'> {
  readonly model: Schemas['Model'];
  readonly cluster: string;
}

/** @param alike two models have the same name, so that only their selectors differ */
const columnsOf = (alike: boolean): readonly Column<Availability>[] => [
  { heading: 'MODEL', value: ({ model }) => model.display_name, min: 24 },
  { heading: 'CLUSTER', value: ({ cluster }) => cluster },
  // Installed is not loaded (docs/reference/public-api.md#routes): only a loaded model answers.
  { heading: 'STATE', value: stateText, whole: true },
  { heading: 'SIZE', value: sizeText, align: 'right' },
  { heading: 'CONTEXT', value: contextText, align: 'right', expendable: 1 },
  { heading: 'SELECTOR', value: ({ model }) => model.selector, whole: true, ...(alike ? {} : { wide: true }) },
];

/** People get one line per model and cluster; programs get one object per model. */
export async function listModels(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  const models = await api.list('/api/models');
  const whenEmpty = 'no models on any online node; see: ferry nodes';
  const nodes = await nodesWithModels(api);
  if (invocation.global.output !== 'table') {
    const described = models.map((model) => withState(model, nodes));
    await printList(invocation, { rows: described, columns: [], whenEmpty });
    return;
  }
  const nameOf = await clusterNames(api);
  const rows = models.flatMap((model) =>
    model.clusters.map(({ cluster_id, loaded }) => {
      const there = summarize(modelOn(nodes, model, cluster_id));
      // The inventory takes precedence; the nodes, queried a moment later, refine the state of installed models.
      const state = loaded ? 'loaded' : there.state === 'loaded' ? 'installed' : there.state;
      return { model, cluster: nameOf(cluster_id), ...there, state };
    }),
  );
  // The id of a model is its selector where its name is not enough.
  const columns = columnsOf(models.some(({ id, selector }) => id === selector));
  await printList(invocation, { rows, columns, mark: markOfModel, whenEmpty });
}

const modelOn = (nodes: readonly Schemas['Node'][], model: Schemas['Model'], cluster: string): Schemas['NodeModel'][] =>
  nodes
    .filter(({ cluster_id }) => cluster_id === cluster)
    .flatMap(({ models }) => models.filter(({ selector }) => selector === model.selector));

const catalogColumns: readonly Column<Schemas['CatalogModel']>[] = [
  { heading: 'MODEL', value: ({ id }) => `hf:${id}`, whole: true },
  { heading: 'DOWNLOADS', value: ({ downloads }) => formatCount(downloads), align: 'right' },
  { heading: 'LIKES', value: ({ likes }) => formatCount(likes), align: 'right' },
  { heading: 'CHANGED', value: ({ updated }) => (updated === null ? '' : localMinute(updated).slice(0, 10)) },
  { heading: 'ACCESS', value: ({ gated }) => (gated ? 'gated' : 'open') },
];

/** Models on Hugging Face that nodes could install. */
export async function searchModels(invocation: Invocation, words: readonly string[]): Promise<void> {
  const api = await connect(invocation);
  const rows = await api.list('/api/catalog', { query: { source: 'hf', q: words.join(' ') } });
  await printList(invocation, { rows, columns: catalogColumns, whenEmpty: 'nothing found; try fewer words' });
  const [first] = rows;
  if (first !== undefined && invocation.global.output === 'table') {
    invocation.terminal.note(`  next: ferry run hf:${first.id}`);
  }
}
