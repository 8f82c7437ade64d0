import { z } from 'zod';
import type { AccountId, NodeId, ReplicaId } from '../../../kernel/ids.js';
import { nodeReport, reportOf, type NodeReport } from '../../nodes/registry/node-report.js';
import type { NodeRegistry } from '../../nodes/registry/node-registry.js';
import type { NodesOfReplicas } from '../../nodes/registry/reachable-nodes.js';
import { idText } from '../bus/id-text.js';
import type { MessageBus, RequestTopic } from '../bus/message-bus.js';
import type { PresenceTable } from './presence-table.js';

/** A report of many engines is about 10 KiB; NATS accepts 1 MiB. */
const NODES_PER_QUERY = 50;

const reportsTopic: RequestTopic<{ account: AccountId; nodes: NodeId[] }, { reports: [NodeId, NodeReport][] }> = {
  name: 'nodes.reports',
  request: z.object({ account: idText<AccountId>(), nodes: z.array(idText<NodeId>()).max(NODES_PER_QUERY) }),
  reply: z.object({ reports: z.array(z.tuple([idText<NodeId>(), nodeReport])).max(NODES_PER_QUERY) }),
};

export interface NodesOfOtherReplicasOptions {
  readonly bus: Pick<MessageBus, 'request'>;
  readonly table: Pick<PresenceTable, 'find'>;
  readonly timeoutMs: number;
}

/** The nodes that presence knows; their replicas are asked for what changes too often to be told to all. */
export class NodesOfOtherReplicas implements NodesOfReplicas {
  constructor(private readonly options: NodesOfOtherReplicasOptions) {}

  find(account: AccountId, nodeId: NodeId): { readonly acceptsWork: boolean } | undefined {
    const found = this.options.table.find(account, nodeId);
    if (found.length === 0) return undefined;
    return { acceptsWork: found.some(({ availability }) => availability !== 'unavailable') };
  }

  async reports(account: AccountId, nodeIds: readonly NodeId[]): Promise<ReadonlyMap<NodeId, NodeReport>> {
    const { bus, timeoutMs } = this.options;
    const queries = [...this.byReplica(account, nodeIds)].flatMap(([replicaId, ids]) =>
      inParts(ids).map((nodes) => ({ replicaId, nodes })),
    );
    const responses = await Promise.all(
      queries.map(({ replicaId, nodes }) => bus.request(replicaId, reportsTopic, { account, nodes }, timeoutMs)),
    );
    return new Map(responses.flatMap((response) => (response.ok ? response.reply.reports : [])));
  }

  private byReplica(account: AccountId, nodeIds: readonly NodeId[]): ReadonlyMap<ReplicaId, readonly NodeId[]> {
    const grouped = new Map<ReplicaId, NodeId[]>();
    for (const nodeId of nodeIds) {
      const [place] = this.options.table.find(account, nodeId);
      if (place === undefined) continue;
      const ids = grouped.get(place.replicaId) ?? [];
      ids.push(nodeId);
      grouped.set(place.replicaId, ids);
    }
    return grouped;
  }
}

const inParts = (ids: readonly NodeId[]): NodeId[][] =>
  Array.from({ length: Math.ceil(ids.length / NODES_PER_QUERY) }, (_, part) =>
    ids.slice(part * NODES_PER_QUERY, (part + 1) * NODES_PER_QUERY),
  );

/** Sends the other replicas the reports of the nodes with a link to this one. @returns ends it */
export const respondWithReports = (
  bus: Pick<MessageBus, 'respond'>,
  registry: Pick<NodeRegistry, 'find'>,
): (() => void) =>
  bus.respond(reportsTopic, ({ account, nodes }) => ({
    reports: nodes.flatMap((nodeId): [NodeId, NodeReport][] => {
      const node = registry.find(account, nodeId);
      return node === undefined ? [] : [[nodeId, reportOf(node)]];
    }),
  }));
