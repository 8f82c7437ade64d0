import type { NodeView } from './nodes.service.js';
import {
  alwaysHealthy,
  type Health,
  type HealthView,
  type NodeHealthState,
  type SuspicionReason,
} from './health/health-view.js';
import { unixSeconds, unixSecondsOrNull } from '../api/list-answer.js';
import { ApiProperty } from '../platform/openapi/decorators.js';

export class NodeEngineRecord {
  @ApiProperty({ example: 'ollama' })
  readonly name: string;
  @ApiProperty({ example: 'ollama' })
  readonly kind: string;
  @ApiProperty({ type: 'string', nullable: true, example: '0.12.1' })
  readonly version: string | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Requests it can work on at once.', example: 4 })
  readonly slots_total: number | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 1 })
  readonly slots_used: number | null;
  @ApiProperty({ type: 'integer', nullable: true })
  readonly queue_depth: number | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'What keeps it from serving, for people.' })
  readonly problem: string | null;
}

export class NodeModelRecord {
  @ApiProperty({ description: 'What its engine calls it; operations take it.', example: 'qwen3:8b' })
  readonly key: string;
  @ApiProperty({ description: 'Stable name of the model for `/v1`.' })
  readonly selector: string;
  @ApiProperty({ example: 'Qwen3 8B' })
  readonly display_name: string;
  @ApiProperty({ example: 'ollama' })
  readonly engine: string;
  @ApiProperty({ description: '`loaded` is ready; `installed` is not.', example: 'loaded' })
  readonly state: string;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Why it cannot be loaded now: `engine_unreachable`, its engine does not answer.',
  })
  readonly reason: string | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 5_200_000_000 })
  readonly size_bytes: number | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Tokens.', example: 40_960 })
  readonly context_length: number | null;
  @ApiProperty({
    enum: ['healthy', 'suspect', 'probing'],
    description:
      'Of this model on this node. As requests show it: what is suspect gets none while anything better could serve them, what is probing one at a time.',
  })
  readonly health: NodeHealthState;
  @ApiProperty({
    enum: ['failures', 'unconfirmed_stop', 'stalled'],
    nullable: true,
    description: 'null: it is healthy.',
  })
  readonly health_reason: SuspicionReason | null;
}

/** A node as `/api/nodes` shows it. Connected, willing and loaded are three signals, kept apart. Times in seconds since 1970. */
export class NodeRecord {
  @ApiProperty({ enum: ['node'] })
  readonly object: 'node';
  @ApiProperty()
  readonly node_id: string;
  @ApiProperty({ example: 'desk' })
  readonly name: string;
  @ApiProperty()
  readonly cluster_id: string;
  @ApiProperty({
    enum: ['pending', 'active', 'revoked'],
    description: '`pending`, `active` or `revoked`: whether the node may connect, not whether it has.',
  })
  readonly status: string;
  @ApiProperty()
  readonly online: boolean;
  @ApiProperty({ description: 'By its owner: it stays connected and gets no requests.' })
  readonly paused: boolean;
  @ApiProperty({ description: 'False while it is offline, paused, draining or congested.' })
  readonly accepts_work: boolean;
  @ApiProperty({
    enum: ['healthy', 'suspect', 'probing'],
    description:
      'Of the node and its models, whichever is worst. As requests show it: what is suspect gets none while anything better could serve them, what is probing one at a time.',
  })
  readonly health: NodeHealthState;
  @ApiProperty({
    enum: ['failures', 'unconfirmed_stop', 'stalled'],
    nullable: true,
    description: 'Why it is not healthy: `failures`, `unconfirmed_stop` or `stalled`; null when it is.',
  })
  readonly health_reason: SuspicionReason | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'What stands in its way, for people.' })
  readonly problem: string | null;
  @ApiProperty({
    description: 'The words that the screen of the computer shows for its key.',
    example: 'amber canyon delta',
  })
  readonly fingerprint: string;
  @ApiProperty({ type: 'integer', nullable: true, description: 'null: never. Seconds since 1970.' })
  readonly last_seen: number | null;
  @ApiProperty({ type: 'integer', description: 'When it was enrolled. Seconds since 1970.' })
  readonly created: number;
  @ApiProperty({ example: 'linux' })
  readonly platform: string;
  @ApiProperty({ example: '0.1.0' })
  readonly agent_version: string;
  @ApiProperty({ type: 'number', nullable: true, example: 12 })
  readonly round_trip_ms: number | null;
  @ApiProperty({ type: () => [NodeEngineRecord] })
  readonly engines: readonly NodeEngineRecord[];
  @ApiProperty({ type: () => [NodeModelRecord] })
  readonly models: readonly NodeModelRecord[];
}

export const nodeRecord = (
  node: NodeView,
  health: Pick<HealthView, 'healthOf' | 'worstOf'> = alwaysHealthy,
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
