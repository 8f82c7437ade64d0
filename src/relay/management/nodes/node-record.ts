import type { NodeView } from '../../nodes/nodes.service.js';
import { unixSeconds, unixSecondsOrNull } from '../list-answer.js';

/** A node as `/api/nodes` shows it. Connected, willing and loaded are three signals, kept apart. Times in seconds since 1970. */
export interface NodeRecord {
  readonly object: 'node';
  readonly node_id: string;
  readonly name: string;
  readonly cluster_id: string;
  /** `pending`, `active` or `revoked`: whether the node may connect, not whether it has. */
  readonly status: string;
  readonly online: boolean;
  /** False while it is offline, paused, draining or congested. */
  readonly accepts_work: boolean;
  /** What stands in its way, for people. */
  readonly problem: string | null;
  readonly last_seen: number | null;
  readonly created: number;
  readonly platform: string;
  readonly agent_version: string;
  readonly round_trip_ms: number | null;
  readonly engines: readonly {
    readonly name: string;
    readonly kind: string;
    readonly version: string | null;
    readonly slots_total: number | null;
    readonly slots_used: number | null;
    readonly queue_depth: number | null;
  }[];
  readonly models: readonly {
    readonly selector: string;
    readonly display_name: string;
    readonly engine: string;
    readonly state: string;
  }[];
}

export const nodeRecord = (node: NodeView): NodeRecord => ({
  object: 'node',
  node_id: node.nodeId,
  name: node.name,
  cluster_id: node.clusterId,
  status: node.state,
  online: node.online,
  accepts_work: node.acceptsWork,
  problem: node.problem,
  last_seen: unixSecondsOrNull(node.lastSeenAt),
  created: unixSeconds(node.createdAt),
  platform: node.platform,
  agent_version: node.agentVersion,
  round_trip_ms: node.roundTripMs,
  engines: node.engines.map(({ name, kind, version, slotsTotal, slotsUsed, queueDepth }) => ({
    name,
    kind,
    version,
    slots_total: slotsTotal,
    slots_used: slotsUsed,
    queue_depth: queueDepth,
  })),
  models: node.models.map(({ selector, displayName, engine, state }) => ({
    selector,
    display_name: displayName,
    engine,
    state,
  })),
});
