import { connect } from '../../core/api/connect.js';
import { findNode } from '../../core/api/find-node.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { printList } from '../../core/output/print-list.js';
import { formatBytes } from '../../core/output/quantities.js';
import type { Column } from '../../core/output/table.js';
import type { Invocation } from '../../invocation.js';
import { fits } from './source/free-memory.js';

type Starter = Schemas['StarterModel'];

const columnsOf = (node: Schemas['Node']): readonly Column<Starter>[] => [
  { heading: 'MODEL', value: ({ name }) => name },
  { heading: 'SIZE', value: ({ size_bytes }) => formatBytes(size_bytes), align: 'right' },
  { heading: 'FITS', value: ({ size_bytes }) => fitText(fits(node, size_bytes)), whole: true },
  {
    heading: 'TOK/S',
    value: ({ tokens_per_second: speed }) => (speed === null ? '' : `~${speed.toFixed(0)}`),
    align: 'right',
  },
  { heading: 'SOURCE', value: ({ source }) => source, min: 16 },
  { heading: 'ENGINE', value: ({ engine }) => engine, expendable: 2 },
  { heading: 'FOR', value: ({ description }) => description, wide: true },
];

const fitText = (fit: boolean | null): string => (fit === null ? '' : fit ? 'yes' : 'not now');

/** Into the memory that is free now. */
export async function listStarters(invocation: Invocation, idOrName: string): Promise<void> {
  const api = await connect(invocation);
  const path = { nodeId: await findNode(api, idOrName) };
  const [node, rows] = await Promise.all([
    api.get('/api/nodes/{nodeId}', { path, whenMissing: 'ferry nodes' }),
    api.list('/api/nodes/{nodeId}/starter-models', { path }),
  ]);
  await printList(invocation, {
    rows,
    columns: columnsOf(node),
    whenEmpty: 'the node has no engine with starter models; ferry models search finds others',
  });
}
