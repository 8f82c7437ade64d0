import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { printList } from '../../core/output/print-list.js';
import { formatBytes } from '../../core/output/quantities.js';
import type { Column } from '../../core/output/table.js';
import type { ResidentModel } from './resident-model.shape.js';
import { nodesWithModels } from './node-models.js';
import type { Schemas } from '../../core/api/management-api.types.js';

const columns: readonly Column<ResidentModel>[] = [
  // Two models may share it: then `model`, the id, is a selector, which is hard to read.
  { heading: 'MODEL', value: ({ display_name }) => display_name },
  { heading: 'NODE', value: ({ node_name }) => node_name },
  { heading: 'ENGINE', value: ({ engine }) => engine },
  { heading: 'STATE', value: ({ state }) => state },
  { heading: 'SIZE', value: ({ size_bytes }) => (size_bytes === null ? '' : formatBytes(size_bytes)) },
  { heading: 'CONTEXT', value: ({ context_length }) => (context_length === null ? '' : String(context_length)) },
];

/** `ferry models ps`: what is loaded, loading or unloading, per node. */
export async function listResident(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  const nodes = await nodesWithModels(api);
  const models = await api.list<Schemas['Model']>('/api/models');
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
    whenEmpty: 'no model is loaded; load one with: ferry models load MODEL',
  });
}
