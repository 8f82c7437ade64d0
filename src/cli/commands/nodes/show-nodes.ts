import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { renderFacts } from '../../core/output/facts.js';
import { printData } from '../../core/output/print-data.js';
import { printList } from '../../core/output/print-list.js';
import { renderTable, type Column } from '../../core/output/table.js';
import { formatBytes, formatMemory } from '../../core/output/quantities.js';
import { localMinute } from '../../core/output/time.js';
import { findNode } from '../../core/api/find-node.js';
import { stateText } from '../models/node-models.js';
import type { Schemas } from '../../core/api/management-api.types.js';

const columns: readonly Column<Schemas['Node']>[] = [
  { heading: 'NODE', value: (node) => node.node_id, whole: true },
  { heading: 'NAME', value: (node) => node.name },
  { heading: 'CLUSTER', value: (node) => node.cluster_id, whole: true },
  { heading: 'STATE', value: stateOf },
  { heading: 'MEMORY', value: (node) => memoryText(node) ?? '-' },
  { heading: 'LAST SEEN', value: ({ last_seen: seen }) => (seen === null ? '-' : localMinute(seen)) },
  { heading: 'PROBLEM', value: (node) => node.problem ?? '' },
];

const modelColumns: readonly Column<Schemas['Node']['models'][number]>[] = [
  { heading: 'MODEL', value: (model) => model.display_name },
  { heading: 'KEY', value: (model) => model.key },
  { heading: 'ENGINE', value: (model) => model.engine },
  { heading: 'STATE', value: stateText },
];

export async function listNodes(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  await printList(invocation, {
    rows: await api.list<Schemas['Node']>('/api/nodes'),
    columns,
    whenEmpty: 'no nodes yet; add a computer with: ferry nodes join-token',
  });
}

export async function showNode(invocation: Invocation, idOrName: string): Promise<void> {
  const api = await connect(invocation);
  const id = await findNode(api, idOrName);
  const node = await api.get<Schemas['Node']>(`/api/nodes/${encodeURIComponent(id)}`, 'ferry nodes');
  const { terminal } = invocation;
  await printData(invocation, node, () => {
    terminal.print(renderFacts(factsOf(node), terminal.stdoutColors));
    if (node.models.length === 0) return;
    terminal.print('');
    terminal.print(renderTable(modelColumns, node.models, terminal.stdoutColors, terminal.columns));
  });
}

function stateOf({ status, online, paused }: Schemas['Node']): string {
  if (status !== 'active') return status;
  if (!online) return 'offline';
  return paused ? 'paused' : 'online';
}

const factsOf = (node: Schemas['Node']): [string, string | null][] => [
  ['Node', `${node.name} (${node.node_id})`],
  ['Cluster', node.cluster_id],
  ['State', node.problem === null ? stateOf(node) : `${stateOf(node)}: ${node.problem}`],
  ['Takes work', node.accepts_work ? 'yes' : 'no'],
  ['Last seen', node.last_seen === null ? null : localMinute(node.last_seen)],
  ['Joined', localMinute(node.created)],
  ['Platform', node.platform],
  ['Version', node.agent_version],
  ['Memory', memoryText(node)],
  ...gpusOf(node).map((gpu): [string, string] => ['GPU', gpuText(gpu)]),
  ['Fingerprint', node.fingerprint],
  ['Round trip', node.round_trip_ms === null ? null : `${node.round_trip_ms.toFixed(1)} ms`],
  ...node.engines.map((engine): [string, string] => ['Engine', engineText(engine)]),
];

function engineText(engine: Schemas['Node']['engines'][number]): string {
  const { name, version, slots_used: used, slots_total: total, problem } = engine;
  if (problem) return `${name} ${problem}`;
  return `${name} ${version ?? ''}${total === null ? '' : ` (${String(used ?? 0)} of ${String(total)} slots in use)`}`;
}

/** Used and total memory. null: offline, an older agent or an older relay. */
function memoryText(node: Schemas['Node']): string | null {
  const { memory } = node as Partial<Schemas['Node']>;
  return memory == null ? null : formatMemory(memory.total_bytes - memory.free_bytes, memory.total_bytes);
}

/** An older relay does not report it. */
const gpusOf = (node: Schemas['Node']): Schemas['Node']['gpus'] => (node as Partial<Schemas['Node']>).gpus ?? [];

function gpuText({ name, total_bytes: total, free_bytes: free, unified }: Schemas['Node']['gpus'][number]): string {
  if (unified) return `${name}, in the memory of the computer`;
  return free === null ? `${name}, ${formatBytes(total)}` : `${name}, ${formatMemory(total - free, total)}`;
}
