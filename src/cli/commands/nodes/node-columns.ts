/** A node as the tables of `ferry nodes` show it. */
import type { Schemas } from '../../core/api/management-api.types.js';
import { firstAndMore, formatMemory } from '../../core/output/quantities.js';
import { vramOf } from './gpu-memory.js';
import type { Column, Mark } from '../../core/output/table.js';
import { localMinute, relativeTime } from '../../core/output/time.js';

type Node = Schemas['Node'];

/**
 * @param clusterName of an id
 * @param nowMs undefined: for a program, whose columns must not change with the time of day
 */
export const nodeColumns = (
  clusterName: (id: string) => string,
  nowMs: number | undefined,
): readonly Column<Node>[] => [
  { heading: 'NAME', value: ({ name }) => name, min: 14 },
  { heading: 'CLUSTER', value: ({ cluster_id }) => clusterName(cluster_id), expendable: 1 },
  { heading: 'STATE', value: (node) => stateColumn(node, nowMs), whole: true },
  { heading: 'MODELS LOADED', value: (node) => loadedText(node, nowMs !== undefined), min: 16 },
  { heading: 'SLOTS', value: slotsText, align: 'right' },
  { heading: 'MEMORY', value: (node) => memoryText(node) ?? '', align: 'right', expendable: 3 },
  { heading: 'VRAM', value: (node) => vramText(node), align: 'right', optional: true, expendable: 2 },
  { heading: 'PROBLEM', value: problemText, sentence: true, optional: true, min: 12 },
  { heading: 'LAST SEEN', value: ({ last_seen: seen }) => (seen === null ? '' : localMinute(seen)), wide: true },
  { heading: 'ID', value: ({ node_id }) => node_id, whole: true, wide: true },
];

export function markOfNode({ status, online, paused, problem, health }: Node): Mark {
  if (status !== 'active' || !online) return 'off';
  return problem !== null || paused || health !== 'healthy' ? 'attention' : 'serving';
}

export function stateOf({ status, online, paused }: Node): string {
  if (status !== 'active') return status;
  if (!online) return 'offline';
  return paused ? 'paused' : 'online';
}

function stateColumn(node: Node, nowMs: number | undefined): string {
  const state = stateOf(node);
  if (state !== 'offline' || nowMs === undefined) return state;
  return node.last_seen === null ? 'never seen' : relativeTime(node.last_seen, nowMs);
}

/** Prefers the node's own report to the failures that requests have shown. */
const problemText = ({ problem, health_reason: reason }: Node): string =>
  problem ?? (reason === null ? '' : `suspect: ${reason.replaceAll('_', ' ')}`);

/** `qwen3:8b, +2` where it is to be short. */
function loadedText({ models }: Node, short: boolean): string {
  const names = models.filter(({ state }) => state === 'loaded').map(({ display_name }) => display_name);
  return short ? firstAndMore(names) : names.join(', ');
}

/** `1/4` of all its engines. */
function slotsText({ online, engines }: Node): string {
  const known = engines.filter(({ slots_total: total }) => total !== null);
  if (!online || known.length === 0) return '';
  const sum = (valueOf: (engine: Node['engines'][number]) => number | null): string =>
    String(known.reduce((total, engine) => total + (valueOf(engine) ?? 0), 0));
  return `${sum(({ slots_used }) => slots_used)}/${sum(({ slots_total }) => slots_total)}`;
}

/** Used and total. null: offline, or not measured yet. */
export function memoryText({ memory }: Node): string | null {
  return memory === null ? null : formatMemory(memory.total_bytes - memory.free_bytes, memory.total_bytes);
}

/** Used and total, of all graphics processors together. */
function vramText(node: Node): string {
  const vram = vramOf(node);
  return vram === null ? '' : formatMemory(vram.usedBytes, vram.totalBytes);
}
