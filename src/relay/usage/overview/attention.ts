/** Problems of an account that need attention, by their cause, each with the page of the website to fix it. */
import type { NodeView } from '../../nodes/nodes.service.js';
import type { Health } from '../../nodes/health/health-view.js';
import type { ExpiringKey, FullDisk } from './overview.store.js';

export const attentionCodes = [
  'no_node_online',
  'node_waits_for_confirmation',
  'node_gone',
  'disk_full',
  'node_problem',
  'engine_problem',
  'node_suspect',
  'key_expires',
] as const;
export type AttentionCode = (typeof attentionCodes)[number];

/** The page of the website on which the problem can be fixed. */
export type AttentionPlace = 'nodes' | 'node' | 'keys';

export interface AttentionItem {
  readonly code: AttentionCode;
  readonly message: string;
  readonly place: AttentionPlace;
  readonly nodeId: string | null;
  readonly keyId: string | null;
  /** null: unknown. */
  readonly since: Date | null;
}

export interface AttentionFacts {
  readonly nodes: readonly NodeView[];
  readonly healthOf: (node: NodeView) => Health;
  /** Of an offline node. `announced`: somebody stopped it on its computer. Undefined: unknown. */
  readonly departureOf: (node: NodeView) => { readonly atMs: number; readonly announced: boolean } | undefined;
  readonly keys: readonly ExpiringKey[];
  readonly fullDisks: readonly FullDisk[];
  readonly nowMs: number;
}

/** Limit of problems shown; the pages of nodes and keys have all. */
const MOST_ITEMS = 20;
/** A computer that has been away for longer was put away. */
const GONE_MS = 86_400_000;

/** Most severe first. */
export function attentionOf(facts: AttentionFacts): readonly AttentionItem[] {
  const { nodes, keys, fullDisks } = facts;
  const items: AttentionItem[] = [];
  if (nodes.length > 0 && nodes.every(({ online }) => !online)) {
    items.push(itemOf('no_node_online', 'No computer is online.', { place: 'nodes' }));
  }
  for (const node of nodes) if (node.state === 'pending') items.push(ofNode(node, 'node_waits_for_confirmation'));
  for (const node of nodes) {
    const since = goneSince(node, facts);
    if (since !== null) items.push({ ...ofNode(node, 'node_gone'), since });
  }
  for (const { nodeId, nodeName, since } of fullDisks) {
    const message = `${nodeName}: Its disk is full: a model could not be installed.`;
    items.push({ ...itemOf('disk_full', message, { place: 'node', nodeId }), since });
  }
  for (const node of nodes) if (node.online) items.push(...onlineProblem(node, facts));
  for (const { id, name } of keys) {
    items.push(itemOf('key_expires', `The key ${name} expires soon.`, { place: 'keys', keyId: id }));
  }
  return items.slice(0, MOST_ITEMS);
}

/** It died or lost its network. Without any computer online, that is said once for all. */
function goneSince(node: NodeView, { nodes, departureOf, nowMs }: AttentionFacts): Date | null {
  if (node.online || node.state !== 'active' || node.paused || nodes.every(({ online }) => !online)) return null;
  const departure = departureOf(node);
  const sinceMs = departure?.atMs ?? node.lastSeenAt?.getTime() ?? -Infinity;
  return departure?.announced !== true && nowMs - sinceMs < GONE_MS ? new Date(sinceMs) : null;
}

/** The cause hides its consequences: requests to an engine that does not run fail, too. */
function onlineProblem(node: NodeView, { healthOf }: AttentionFacts): readonly AttentionItem[] {
  const { problem, problemSince: since, state, engines } = node;
  if (problem !== null && state === 'active') {
    const code = engines.some((engine) => engine.problem !== null) ? 'engine_problem' : 'node_problem';
    return [{ ...ofNode(node, code, problem), since }];
  }
  return healthOf(node).state === 'suspect' ? [ofNode(node, 'node_suspect')] : [];
}

const itemOf = (
  code: AttentionCode,
  message: string,
  { nodeId = null, keyId = null, place }: Pick<AttentionItem, 'place'> & Partial<AttentionItem>,
): AttentionItem => ({ code, message, place, nodeId, keyId, since: null });

const ofNode = (node: NodeView, code: AttentionCode, problem?: string): AttentionItem =>
  itemOf(code, `${node.name}: ${problem ?? messages[code] ?? ''}`, { place: 'node', nodeId: node.nodeId });

const messages: Partial<Readonly<Record<AttentionCode, string>>> = {
  node_waits_for_confirmation: 'It is waiting for confirmation of its fingerprint.',
  node_gone: 'It lost its connection and has not come back.',
  node_suspect: 'Its last requests failed, so other computers are preferred.',
};
