import { inputKinds, type InputKind } from '../../kernel/dialect.js';
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
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Since when the relay has known of the problem. Seconds since 1970.',
  })
  readonly problem_since: number | null;
}

export class NodeMemoryRecord {
  @ApiProperty({ type: 'integer', example: 68_719_476_736 })
  readonly total_bytes: number;
  @ApiProperty({ type: 'integer', description: 'What a new process could take.', example: 24_000_000_000 })
  readonly free_bytes: number;
}

export class NodeGpuRecord {
  @ApiProperty({ example: 'NVIDIA GeForce RTX 4090' })
  readonly name: string;
  @ApiProperty({ type: 'integer', example: 25_757_220_864 })
  readonly total_bytes: number;
  @ApiProperty({ type: 'integer', nullable: true, description: 'null: its driver does not say.' })
  readonly free_bytes: number | null;
  @ApiProperty({ description: 'It computes in the memory of the computer, as on Apple silicon.' })
  readonly unified: boolean;
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
  @ApiProperty({ type: 'string', nullable: true, example: 'Q4_K_M' })
  readonly quantization: string | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 5_200_000_000 })
  readonly size_bytes: number | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Tokens.', example: 40_960 })
  readonly context_length: number | null;
  @ApiProperty({ enum: inputKinds, isArray: true, description: 'What a request may contain.', example: ['text'] })
  readonly inputs: readonly InputKind[];
  @ApiProperty({ type: 'boolean', nullable: true, description: 'Calls tools. null: its engine does not say.' })
  readonly tools: boolean | null;
  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description: 'Thinks before it answers. null: its engine does not say.',
  })
  readonly reasoning: boolean | null;
  @ApiProperty({ description: 'Makes embeddings and no text.' })
  readonly embedding: boolean;
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
    type: 'integer',
    nullable: true,
    description: 'Since when its engines have not served, as far as the relay knows. Seconds since 1970.',
  })
  readonly problem_since: number | null;
  @ApiProperty({
    description: 'The words that the screen of the computer shows for its key.',
    example: 'amber canyon delta',
  })
  readonly fingerprint: string;
  @ApiProperty({ type: 'integer', nullable: true, description: 'null: never. Seconds since 1970.' })
  readonly last_seen: number | null;
  @ApiProperty({ type: 'integer', description: 'When it was enrolled. Seconds since 1970.' })
  readonly created: number;
  @ApiProperty({ description: 'System and processor.', example: 'linux-x64' })
  readonly platform: string;
  @ApiProperty({ example: '0.1.0' })
  readonly agent_version: string;
  @ApiProperty({ type: 'number', nullable: true, example: 12 })
  readonly round_trip_ms: number | null;
  @ApiProperty({
    type: () => NodeMemoryRecord,
    nullable: true,
    description: 'Of the computer. null: it is offline, or its agent does not report it.',
  })
  readonly memory: NodeMemoryRecord | null;
  @ApiProperty({ type: () => [NodeGpuRecord], description: 'Graphics processors whose memory is known.' })
  readonly gpus: readonly NodeGpuRecord[];
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
  problem_since: unixSecondsOrNull(node.problemSince),
  fingerprint: node.fingerprint,
  last_seen: unixSecondsOrNull(node.lastSeenAt),
  created: unixSeconds(node.createdAt),
  platform: node.platform,
  agent_version: node.agentVersion,
  round_trip_ms: node.roundTripMs,
  memory: node.memory && { total_bytes: node.memory.totalBytes, free_bytes: node.memory.freeBytes },
  gpus: node.gpus.map(({ name, totalBytes, freeBytes, unified }) => ({
    name,
    total_bytes: totalBytes,
    free_bytes: freeBytes,
    unified,
  })),
  engines: node.engines.map(({ name, kind, version, slotsTotal, slotsUsed, queueDepth, problem, problemSince }) => ({
    name,
    kind,
    version,
    slots_total: slotsTotal,
    slots_used: slotsUsed,
    queue_depth: queueDepth,
    problem,
    problem_since: unixSecondsOrNull(problemSince),
  })),
  models: node.models.map((model) => ({
    key: model.key,
    selector: model.selector,
    display_name: model.displayName,
    engine: model.engine,
    state: model.state,
    reason: model.reason,
    quantization: model.quantization,
    size_bytes: model.sizeBytes,
    context_length: model.contextLength,
    inputs: model.inputs,
    tools: model.tools,
    reasoning: model.reasoning,
    embedding: model.embedding,
    ...healthMembers(health.healthOf(node.nodeId, model.key)),
  })),
});

const healthMembers = ({ state, reason }: Health) => ({ health: state, health_reason: reason });
