import { ApiProperty, ApiPropertyOptional } from 'nest-swagger';
import { inputKinds, type InputKind } from '../../kernel/dialect.js';
import type { NodeView } from './nodes.service.js';
import {
  alwaysHealthy,
  type Health,
  type HealthView,
  type NodeHealthState,
  type SuspicionReason,
} from './health/health-view.js';
import { unixSeconds, unixSecondsOrNull } from '../platform/api/list-response.js';
import type { LinkCloseReason } from '../../link/link-errors.js';
import { gpuBackends, supervisors, type GpuBackend, type Supervisor } from '../../link/messages.js';
import type { LinkEvent } from './registry/link-history.js';

export class NodeEngineRecord {
  @ApiProperty({ example: 'ollama' })
  readonly name: string;
  @ApiProperty({ example: 'ollama' })
  readonly kind: string;
  @ApiProperty({ type: 'string', nullable: true, example: '0.12.1' })
  readonly version: string | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Number of requests that it can run concurrently.',
    example: 4,
  })
  readonly slots_total: number | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 1 })
  readonly slots_used: number | null;
  @ApiProperty({ type: 'integer', nullable: true })
  readonly queue_depth: number | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'Why it cannot serve requests, as text.' })
  readonly problem: string | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'When the problem was first reported, in seconds since 1970.',
  })
  readonly problem_since: number | null;
}

export class NodeMemoryRecord {
  @ApiProperty({ type: 'integer', example: 68_719_476_736 })
  readonly total_bytes: number;
  @ApiProperty({ type: 'integer', description: 'Memory available to new processes.', example: 24_000_000_000 })
  readonly free_bytes: number;
}

export class NodeGpuRecord {
  @ApiProperty({ example: 'NVIDIA GeForce RTX 4090' })
  readonly name: string;
  @ApiProperty({ type: 'integer', example: 25_757_220_864 })
  readonly total_bytes: number;
  @ApiProperty({ type: 'integer', nullable: true, description: 'null if the driver does not report it.' })
  readonly free_bytes: number | null;
  @ApiProperty({ description: 'Whether it shares the memory of the computer, as on Apple silicon.' })
  readonly unified: boolean;
  @ApiProperty({
    enum: gpuBackends,
    nullable: true,
    description: 'How the built-in engine computes on it; null if it does not.',
  })
  readonly backend: GpuBackend | null;
}

export class NodeModelMemoryRecord {
  @ApiProperty({ type: 'integer', description: 'In the memory of the computer.', example: 400_000_000 })
  readonly ram_bytes: number;
  @ApiProperty({
    type: 'integer',
    description: 'In the memory of graphics processors; 0 where these share the memory of the computer.',
    example: 5_400_000_000,
  })
  readonly vram_bytes: number;
}

export class NodeModelLayersRecord {
  @ApiProperty({ type: 'integer', example: 36 })
  readonly on_gpu: number;
  @ApiProperty({ type: 'integer', example: 37 })
  readonly total: number;
}

export class NodeModelRecord {
  @ApiProperty({ description: 'Name of the model in its engine; accepted by operations.', example: 'qwen3:8b' })
  readonly key: string;
  @ApiProperty({ description: 'Stable id of the model for `/v1`.' })
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
    description: '`engine_unreachable` if it cannot be loaded because its engine does not respond.',
  })
  readonly reason: string | null;
  @ApiProperty({ type: 'string', nullable: true, example: 'Q4_K_M' })
  readonly quantization: string | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 5_200_000_000 })
  readonly size_bytes: number | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'In tokens.', example: 40_960 })
  readonly context_length: number | null;
  @ApiProperty({
    type: () => NodeModelMemoryRecord,
    nullable: true,
    description: 'What it takes in memory, measured or estimated; null if it is not loaded or its engine does not say.',
  })
  readonly memory: NodeModelMemoryRecord | null;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'What computes its answers, several separated by `, `; null if its engine does not say.',
    example: 'NVIDIA GeForce RTX 4090',
  })
  readonly device: string | null;
  @ApiProperty({
    type: () => NodeModelLayersRecord,
    nullable: true,
    description: 'Layers on a graphics processor; the processor computes the others. null if its engine does not say.',
  })
  readonly gpu_layers: NodeModelLayersRecord | null;
  @ApiProperty({
    enum: inputKinds,
    isArray: true,
    description: 'Kinds of input that a request may contain.',
    example: ['text'],
  })
  readonly inputs: readonly InputKind[];
  @ApiProperty({ type: 'boolean', nullable: true, description: 'Whether it can call tools; null if unknown.' })
  readonly tools: boolean | null;
  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description: 'Whether it is a reasoning model; null if unknown.',
  })
  readonly reasoning: boolean | null;
  @ApiProperty({ description: 'Whether it is an embedding model, which generates no text.' })
  readonly embedding: boolean;
  @ApiProperty({
    enum: ['healthy', 'suspect', 'probing'],
    description:
      'Health of the model on this node, derived from its requests. `suspect` gets requests only if nothing better can serve them; `probing` gets one at a time.',
  })
  readonly health: NodeHealthState;
  @ApiProperty({
    enum: ['failures', 'unconfirmed_stop', 'stalled'],
    nullable: true,
    description: 'null if healthy.',
  })
  readonly health_reason: SuspicionReason | null;
}

export class NodeLinkEventRecord {
  @ApiProperty({ type: 'string', format: 'date-time' })
  readonly at: string;
  @ApiProperty({ enum: ['connected', 'disconnected'] })
  readonly event: 'connected' | 'disconnected';
  @ApiProperty({
    enum: ['peer_closed', 'closed_here', 'protocol_error', 'handshake_timeout', 'dead', 'backlog', 'internal'],
    nullable: true,
    description: 'Why the link ended: `dead` is silence, `backlog` a node that does not read; null for a new link.',
  })
  readonly reason: LinkCloseReason | null;
  @ApiProperty({ description: 'What was said when it was closed; may be empty.' })
  readonly detail: string;
}

/** A node in `/api/nodes`. Online, accepting work and model state are independent fields. Times in seconds since 1970. */
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
    description: '`pending`, `active` or `revoked`: whether the node may connect, not whether it is connected.',
  })
  readonly status: string;
  @ApiProperty()
  readonly online: boolean;
  @ApiProperty({ description: 'Paused by a user: it stays connected and gets no requests.' })
  readonly paused: boolean;
  @ApiProperty({ type: 'string', nullable: true, description: 'Free text about it; null if there is none.' })
  readonly note: string | null;
  @ApiProperty({ type: [String], example: ['office', 'gpu'] })
  readonly tags: readonly string[];
  @ApiProperty({ description: 'False while it is offline, paused, draining or congested.' })
  readonly accepts_work: boolean;
  @ApiProperty({
    enum: ['healthy', 'suspect', 'probing'],
    description:
      'Worst health of the node and its models, derived from their requests. `suspect` gets requests only if nothing better can serve them; `probing` gets one at a time.',
  })
  readonly health: NodeHealthState;
  @ApiProperty({
    enum: ['failures', 'unconfirmed_stop', 'stalled'],
    nullable: true,
    description: 'Why it is not healthy: `failures`, `unconfirmed_stop` or `stalled`; null if healthy.',
  })
  readonly health_reason: SuspicionReason | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'Why it cannot serve requests, as text.' })
  readonly problem: string | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Since when its engines cannot serve requests, as reported to the relay, in seconds since 1970.',
  })
  readonly problem_since: number | null;
  @ApiProperty({
    description: 'Fingerprint of its key, in words, as shown on the computer.',
    example: 'amber canyon delta',
  })
  readonly fingerprint: string;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Last connection, in seconds since 1970; null if never.',
  })
  readonly last_seen: number | null;
  @ApiProperty({ type: 'integer', description: 'Time of enrolment, in seconds since 1970.' })
  readonly created: number;
  @ApiProperty({ description: 'Operating system and processor architecture.', example: 'linux-x64' })
  readonly platform: string;
  @ApiProperty({ example: '0.1.0' })
  readonly agent_version: string;
  @ApiProperty({ type: 'number', nullable: true, example: 12 })
  readonly round_trip_ms: number | null;
  @ApiProperty({
    enum: supervisors,
    nullable: true,
    description:
      'Service manager that starts it again by itself; null if there is none that is known, or it is offline.',
  })
  readonly supervisor: Supervisor | null;
  @ApiProperty({
    type: () => NodeMemoryRecord,
    nullable: true,
    description: 'Memory of the computer; null if the node is offline or does not report it.',
  })
  readonly memory: NodeMemoryRecord | null;
  @ApiProperty({ type: () => [NodeGpuRecord], description: 'Graphics processors with known memory.' })
  readonly gpus: readonly NodeGpuRecord[];
  @ApiProperty({ type: () => [NodeEngineRecord] })
  readonly engines: readonly NodeEngineRecord[];
  @ApiProperty({ type: () => [NodeModelRecord] })
  readonly models: readonly NodeModelRecord[];
  @ApiPropertyOptional({
    type: () => [NodeLinkEventRecord],
    description: 'Of a single node: its last 20 connections to this relay and how they ended, since the relay started.',
  })
  readonly link_events?: readonly NodeLinkEventRecord[];
}

export const linkEventRecord = ({ atMs, event, reason, detail }: LinkEvent): NodeLinkEventRecord => ({
  at: new Date(atMs).toISOString(),
  event,
  reason,
  detail,
});

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
  note: node.note,
  tags: node.tags,
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
  supervisor: node.supervisor,
  memory: node.memory && { total_bytes: node.memory.totalBytes, free_bytes: node.memory.freeBytes },
  gpus: node.gpus.map(({ name, totalBytes, freeBytes, unified, backend }) => ({
    name,
    total_bytes: totalBytes,
    free_bytes: freeBytes,
    unified,
    backend,
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
    memory: model.memory,
    device: model.device,
    gpu_layers: model.gpuLayers,
    inputs: model.inputs,
    tools: model.tools,
    reasoning: model.reasoning,
    embedding: model.embedding,
    ...healthMembers(health.healthOf(node.nodeId, model.key)),
  })),
});

const healthMembers = ({ state, reason }: Health) => ({ health: state, health_reason: reason });
