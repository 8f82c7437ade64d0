/** `ferry nodes history`: slots, memory and tokens a second of a node over time. */
import { connect } from '../../core/api/connect.js';
import { findNode } from '../../core/api/find-node.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { printData } from '../../core/output/print-data.js';
import { formatMemory } from '../../core/output/quantities.js';
import { renderTable, type Column } from '../../core/output/table.js';
import { localMinute, unixSecondsOf } from '../../core/output/time.js';
import type { Invocation } from '../../invocation.js';

interface Bucket {
  readonly start: string;
  readonly slots: string;
  readonly memory: string;
  readonly gpuMemory: string;
  readonly rate: number;
}

const columns: readonly Column<Bucket>[] = [
  { heading: 'FROM', value: ({ start }) => localMinute(unixSecondsOf(start)), whole: true },
  { heading: 'SLOTS', value: ({ slots }) => slots, align: 'right' },
  { heading: 'TOK/S', value: ({ rate }) => (rate === 0 ? '' : rate.toFixed(1)), align: 'right' },
  { heading: 'MEMORY', value: ({ memory }) => memory, align: 'right' },
  { heading: 'VRAM', value: ({ gpuMemory }) => gpuMemory, align: 'right', optional: true },
];

export async function showNodeHistory(
  invocation: Invocation,
  idOrName: string,
  { range }: { readonly range: Schemas['NodeHistory']['range'] },
): Promise<void> {
  const api = await connect(invocation);
  const path = { nodeId: await findNode(api, idOrName) };
  const history = await api.get('/api/nodes/{nodeId}/history', { path, query: { range }, whenMissing: 'ferry nodes' });
  const { terminal } = invocation;
  await printData(invocation, history, () => {
    const rows = bucketsOf(history);
    if (rows.length === 0) terminal.note(`nothing is known of the last ${range}; samples are stored once a minute`);
    else terminal.print(renderTable(columns, rows, terminal.stdoutColors, terminal.columns));
  });
}

/** Without those in which the node was offline. */
const bucketsOf = (history: Schemas['NodeHistory']): readonly Bucket[] =>
  history.buckets.flatMap((start, index) => {
    const [used, total] = [history.slots_used[index], history.slots_total[index]];
    const rate = history.models.reduce((sum, { tokens_per_second }) => sum + (tokens_per_second[index] ?? 0), 0);
    if (used == null && rate === 0) return [];
    return [
      {
        start,
        slots: used == null || total == null ? '' : `${used.toFixed(1)}/${String(total)}`,
        memory: memoryOf(history.memory_used_bytes[index], history.memory_total_bytes[index]),
        gpuMemory: memoryOf(history.gpu_used_bytes[index], history.gpu_total_bytes[index]),
        rate,
      },
    ];
  });

const memoryOf = (used: number | null | undefined, total: number | null | undefined): string =>
  used == null || total == null ? '' : formatMemory(used, total);
