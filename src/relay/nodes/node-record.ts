import type { NodeView } from './nodes.service.js';
import {
  everybodyHealthy,
  type Health,
  type HealthView,
  type NodeHealthState,
  type SuspicionReason,
} from './health/health-view.js';
import { unixSeconds, unixSecondsOrNull } from '../api/list-answer.js';

/** A node as `/api/nodes` shows it. Connected, willing and loaded are three signals, kept apart. Times in seconds since 1970. */
export interface NodeRecord {
  readonly object: 'node';
  readonly node_id: string;
  readonly name: string;
  readonly cluster_id: string;
  /** `pending`, `active` or `revoked`: whether the node may connect, not whether it has. */
  readonly status: string;
  readonly online: boolean;
  /** By its owner: it stays connected and gets no requests. */
  readonly paused: boolean;
  /** False while it is offline, paused, draining or congested. */
  readonly accepts_work: boolean;
  /** Of the node and its models, as requests show it, whichever is worst: what is `suspect` gets nothing while anything better is there. */
  readonly health: NodeHealthState;
  /** Why it is not healthy: `failures`, `unconfirmed_stop` or `stalled`; null when it is. */
  readonly health_reason: SuspicionReason | null;
  /** What stands in its way, for people. */
  readonly problem: string | null;
  /** The words that the screen of the computer shows for its key. */
  readonly fingerprint: string;
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
    /** What keeps it from serving, for people. */
    readonly problem: string | null;
  }[];
  readonly models: readonly {
    readonly key: string;
    readonly selector: string;
    readonly display_name: string;
    readonly engine: string;
    readonly state: string;
    /** `engine_unreachable`: it is what the engine had when it last answered. */
    readonly reason: string | null;
    readonly size_bytes: number | null;
    readonly context_length: number | null;
    /** Of this model on this node; never better than that of the node itself. */
    readonly health: NodeHealthState;
    readonly health_reason: SuspicionReason | null;
  }[];
}

export const nodeRecord = (
  node: NodeView,
  health: Pick<HealthView, 'healthOf' | 'worstOf'> = everybodyHealthy,
): NodeRecord => ({
  object: 'node',
  node_id: node.nodeId,
  name: node.name,
  cluster_id: node.clusterId,
  status: node.state,
  online: node.online,
  paused: node.paused,
  accepts_work: node.acceptsWork,
  ...healthMembers(health.worstOf(node.nodeId)),
  problem: node.problem,
  fingerprint: node.fingerprint,
  last_seen: unixSecondsOrNull(node.lastSeenAt),
  created: unixSeconds(node.createdAt),
  platform: node.platform,
  agent_version: node.agentVersion,
  round_trip_ms: node.roundTripMs,
  engines: node.engines.map(({ name, kind, version, slotsTotal, slotsUsed, queueDepth, problem }) => ({
    name,
    kind,
    version,
    slots_total: slotsTotal,
    slots_used: slotsUsed,
    queue_depth: queueDepth,
    problem,
  })),
  models: node.models.map(({ key, selector, displayName, engine, state, reason, sizeBytes, contextLength }) => ({
    key,
    selector,
    display_name: displayName,
    engine,
    state,
    reason,
    size_bytes: sizeBytes,
    context_length: contextLength,
    ...healthMembers(health.healthOf(node.nodeId, key)),
  })),
});

const healthMembers = ({ state, reason }: Health) => ({ health: state, health_reason: reason });
