/** Problems of an account that need attention, each with the page of the website to fix it. */
import type { NodeView } from '../../nodes/nodes.service.js';
import type { Health } from '../../nodes/health/health-view.js';
import type { ExpiringKey } from './overview.store.js';

export const attentionCodes = [
  'no_node_online',
  'node_waits_for_confirmation',
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
}

/** Limit of problems shown; the pages of nodes and keys have all. */
const MOST_ITEMS = 20;

/** Most severe first. An offline node is not a problem while another node serves. */
export function attentionOf(
  nodes: readonly NodeView[],
  healthOf: (node: NodeView) => Health,
  keys: readonly ExpiringKey[],
): readonly AttentionItem[] {
  const online = nodes.filter((node) => node.online);
  const items: AttentionItem[] = [];
  if (nodes.length > 0 && online.length === 0) {
    items.push({
      code: 'no_node_online',
      message: 'No computer is online.',
      place: 'nodes',
      nodeId: null,
      keyId: null,
    });
  }
  for (const node of nodes) if (node.state === 'pending') items.push(ofNode(node, 'node_waits_for_confirmation'));
  for (const node of online) {
    // The problem of a node with one engine is that of the engine.
    const engine = node.engines.find(({ problem }) => problem !== null);
    if (engine?.problem != null) items.push(ofNode(node, 'engine_problem', engine.problem));
    else if (node.problem !== null && node.state === 'active') items.push(ofNode(node, 'node_problem', node.problem));
    else if (healthOf(node).state === 'suspect') items.push(ofNode(node, 'node_suspect'));
  }
  for (const { id, name } of keys) {
    items.push({
      code: 'key_expires',
      message: `The key ${name} expires soon.`,
      place: 'keys',
      nodeId: null,
      keyId: id,
    });
  }
  return items.slice(0, MOST_ITEMS);
}

function ofNode(node: NodeView, code: AttentionCode, problem?: string): AttentionItem {
  return {
    code,
    message: `${node.name}: ${problem ?? messages[code] ?? ''}`,
    place: 'node',
    nodeId: node.nodeId,
    keyId: null,
  };
}

const messages: Partial<Readonly<Record<AttentionCode, string>>> = {
  node_waits_for_confirmation: 'It is waiting for confirmation of its fingerprint.',
  node_suspect: 'Its last requests failed, so other nodes are preferred.',
};
