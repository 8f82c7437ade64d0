import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { printList } from '../../core/output/print-list.js';
import type { Column } from '../../core/output/table.js';
import { memoryColumns } from './model-memory.js';
import type { ResidentModel } from './resident-model.shape.js';
import { contextText, markOfModel, nodesWithModels, sizeText, stateText } from './node-models.js';

const columns: readonly Column<ResidentModel>[] = [
  // Two models may share it: then `model`, the id, is a selector, which is hard to read.
  { heading: 'MODEL', value: ({ display_name }) => display_name, min: 20 },
  { heading: 'NODE', value: ({ node_name }) => node_name, min: 14 },
  { heading: 'STATE', value: stateText, whole: true },
  { heading: 'SIZE', value: sizeText, align: 'right' },
  { heading: 'CONTEXT', value: contextText, align: 'right', expendable: 2 },
  { heading: 'ENGINE', value: ({ engine }) => engine, expendable: 4 },
  ...memoryColumns,
  { heading: 'SELECTOR', value: ({ selector }) => selector, whole: true, wide: true },
];

/** `ferry models ps`: what is loaded, loading or unloading, per node. */
export async function listResident(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  const nodes = await nodesWithModels(api);
  const models = await api.list('/api/models');
  const ids = new Map(models.map(({ id, selector }) => [selector, id]));
  const rows = nodes.flatMap(({ node_id, name, models: onNode }) =>
    onNode
      .filter(({ state }) => state !== 'installed')
      .map((model): ResidentModel => ({
        model: ids.get(model.selector) ?? model.display_name,
        node_id,
        node_name: name,
        ...model,
      })),
  );
  await printList(invocation, {
    rows,
    columns,
    mark: markOfModel,
    whenEmpty: 'no model is loaded; load one with: ferry models load MODEL',
  });
}
