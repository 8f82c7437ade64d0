import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { renderFacts } from '../../core/output/facts.js';
import { printData } from '../../core/output/print-data.js';
import { printList } from '../../core/output/print-list.js';
import { renderTable, type Column } from '../../core/output/table.js';
import { formatBytes, formatMemory } from '../../core/output/quantities.js';
import { timeColumn } from '../../core/output/time.js';
import { findNode } from '../../core/api/find-node.js';
import { clusterNames } from '../clusters/find-cluster.js';
import { memoryColumns } from '../models/model-memory.js';
import { contextText, markOfModel, sizeText, stateText } from '../models/node-models.js';
import { markOfNode, memoryText, nodeColumns, stateOf } from './node-columns.js';
import type { Schemas } from '../../core/api/management-api.types.js';

const modelColumns: readonly Column<Schemas['Node']['models'][number]>[] = [
  { heading: 'MODEL', value: ({ display_name }) => display_name, min: 20 },
  { heading: 'STATE', value: stateText, whole: true },
  { heading: 'SIZE', value: sizeText, align: 'right' },
  { heading: 'CONTEXT', value: contextText, align: 'right', expendable: 2 },
  { heading: 'ENGINE', value: ({ engine }) => engine, expendable: 4 },
  ...memoryColumns,
  { heading: 'KEY', value: ({ key }) => key, whole: true, wide: true },
];

export async function listNodes(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  const { global, terminal } = invocation;
  const rows = await api.list('/api/nodes');
  const nameOf = global.output === 'table' && rows.length > 0 ? await clusterNames(api) : (id: string) => id;
  const nowMs = global.wide || terminal.columns === undefined ? undefined : Date.now();
  await printList(invocation, {
    rows,
    columns: nodeColumns(nameOf, nowMs),
    mark: markOfNode,
    whenEmpty: 'no nodes yet; add a computer with: ferry nodes join-token',
  });
}

export async function showNode(invocation: Invocation, idOrName: string): Promise<void> {
  const api = await connect(invocation);
  const id = await findNode(api, idOrName);
  const node = await api.get('/api/nodes/{nodeId}', { path: { nodeId: id }, whenMissing: 'ferry nodes' });
  const { terminal, global } = invocation;
  const clusterName = global.output === 'table' ? (await clusterNames(api))(node.cluster_id) : '';
  await printData(invocation, node, () => {
    terminal.print(renderFacts(factsOf(node, clusterName, timeColumn(terminal)), terminal.stdoutColors));
    if (node.models.length === 0) return;
    terminal.print('');
    const form = { mark: markOfModel, wide: global.wide };
    terminal.print(renderTable(modelColumns, node.models, terminal.stdoutColors, terminal.columns, form));
  });
}

const factsOf = (
  node: Schemas['Node'],
  clusterName: string,
  timeOf: ReturnType<typeof timeColumn>,
): [string, string | null][] => [
  ['Node', node.name],
  ['Id', node.node_id],
  ['Cluster', clusterName],
  ['State', node.problem === null ? stateOf(node) : `${stateOf(node)}: ${node.problem}`],
  ['Note', node.note],
  ['Tags', node.tags.length === 0 ? null : node.tags.join(', ')],
  ['Takes work', node.accepts_work ? 'yes' : 'no'],
  ['Last seen', timeOf(node.last_seen)],
  ['Joined', timeOf(node.created)],
  ['Platform', node.platform],
  ['Version', node.agent_version],
  ['Runs as', node.supervisor === null ? null : `service of ${node.supervisor}`],
  ['Memory', memoryText(node)],
  ...node.gpus.map((gpu): [string, string] => ['GPU', gpuText(gpu)]),
  ['Fingerprint', node.fingerprint],
  ['Round trip', node.round_trip_ms === null ? null : `${node.round_trip_ms.toFixed(1)} ms`],
  ...node.engines.map((engine): [string, string] => ['Engine', engineText(engine)]),
];

function engineText(engine: Schemas['Node']['engines'][number]): string {
  const { name, version, slots_used: used, slots_total: total, problem } = engine;
  if (problem) return `${name} ${problem}`;
  return `${name} ${version ?? ''}${total === null ? '' : ` (${String(used ?? 0)} of ${String(total)} slots in use)`}`;
}

function gpuText({
  name,
  total_bytes: total,
  free_bytes: free,
  unified,
  backend,
}: Schemas['Node']['gpus'][number]): string {
  const used = backend === null ? '' : `, used by the built-in engine (${backend})`;
  if (unified) return `${name}, in the memory of the computer${used}`;
  return `${name}, ${free === null ? formatBytes(total) : formatMemory(total - free, total)}${used}`;
}
