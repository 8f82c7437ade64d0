import { connect } from '../connection/connect.js';
import type { Invocation } from '../invocation.js';
import { printList } from '../output/print-list.js';
import { printable } from '../output/printable.js';
import type { Column } from '../output/table.js';
import { localMinute } from '../output/time.js';

/** As `GET /api/nodes` has it. Seconds since 1970. */
interface NodeRecord {
  readonly node_id: string;
  readonly name: string;
  readonly cluster_id: string;
  readonly status: string;
  readonly online: boolean;
  readonly last_seen: number | null;
  /** What stands in its way, for people. */
  readonly problem: string | null;
}

interface JoinToken {
  readonly join_token: string;
  readonly expires_at: number;
  readonly cluster_id: string;
  /** The whole command to run on the new computer. */
  readonly command: string;
}

const columns: readonly Column<NodeRecord>[] = [
  { heading: 'NODE', value: (node) => node.node_id },
  { heading: 'NAME', value: (node) => node.name },
  { heading: 'CLUSTER', value: (node) => node.cluster_id },
  { heading: 'STATE', value: (node) => (node.online ? 'online' : node.status === 'active' ? 'offline' : node.status) },
  { heading: 'LAST SEEN', value: (node) => (node.last_seen === null ? '-' : localMinute(node.last_seen)) },
  { heading: 'PROBLEM', value: (node) => node.problem ?? '' },
];

export async function listNodes(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  printList(invocation, {
    rows: await api.list<NodeRecord>('/api/nodes'),
    columns,
    whenEmpty: 'no nodes yet; add a computer with: ferry nodes join-token',
  });
}

export async function createJoinToken(invocation: Invocation, clusterId: string | undefined): Promise<void> {
  const api = await connect(invocation);
  const created = await api.post<JoinToken>(
    '/api/join-tokens',
    clusterId === undefined ? {} : { cluster_id: clusterId },
    'ferry clusters',
  );
  const { terminal, global } = invocation;
  if (global.output === 'json') {
    terminal.print(JSON.stringify(created));
    return;
  }
  terminal.note(`Works once, until ${localMinute(created.expires_at)}. On the new computer run:`);
  terminal.note(`  ${printable(created.command)}`);
  terminal.print(created.join_token);
}

export async function revokeNode(invocation: Invocation, nodeId: string): Promise<void> {
  const api = await connect(invocation);
  const revoked = await api.delete<Pick<NodeRecord, 'node_id' | 'status'>>(
    `/api/nodes/${encodeURIComponent(nodeId)}`,
    'ferry nodes',
  );
  invocation.terminal.note(`Revoked node ${printable(nodeId)}.`);
  if (invocation.global.output === 'json') invocation.terminal.print(JSON.stringify(revoked));
}
