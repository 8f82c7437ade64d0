import { ApiProperty } from 'nest-swagger';
import type { OperationView } from './operation.js';

export class OperationFailureRecord {
  @ApiProperty({ example: 'out_of_memory' })
  readonly code: string;
  @ApiProperty({ example: 'The model does not fit into the memory of this computer.' })
  readonly message: string;
}

/** An operation in `/api/operations`. Times in ISO 8601, sizes in bytes. */
export class OperationRecord {
  @ApiProperty({ enum: ['operation'] })
  readonly object: 'operation';
  @ApiProperty({ example: 'op_9c8b7a6f5e4d3c2b1a09f8e7d6c5b4a3' })
  readonly id: string;
  @ApiProperty({ enum: ['install', 'load', 'unload', 'remove'] })
  readonly kind: string;
  @ApiProperty()
  readonly node_id: string;
  @ApiProperty({ example: 'desk' })
  readonly node_name: string;
  @ApiProperty({
    description:
      'If false, the state is the last reported one: the node continues, and reports when it is online again.',
  })
  readonly node_online: boolean;
  @ApiProperty({ type: 'string', nullable: true, example: 'ollama' })
  readonly engine: string | null;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Public id of the model; for an install, after success.',
  })
  readonly model: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'Name of the model in its engine.' })
  readonly model_key: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'For an install: its source.', example: 'qwen3:8b' })
  readonly source: string | null;
  @ApiProperty({ description: 'For an install: whether the model is loaded afterwards.' })
  readonly load: boolean;
  @ApiProperty({ type: 'integer', nullable: true })
  readonly context_tokens: number | null;
  @ApiProperty({
    enum: ['queued', 'running', 'succeeded', 'failed', 'cancelled'],
    description: '`queued`, `running`, `succeeded`, `failed` or `cancelled`.',
  })
  readonly state: string;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'As reported by the engine, such as `downloading`.',
    example: 'downloading',
  })
  readonly phase: string | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 1_300_000_000 })
  readonly completed_bytes: number | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 5_200_000_000 })
  readonly total_bytes: number | null;
  @ApiProperty({ type: 'number', nullable: true, example: 42_000_000 })
  readonly bytes_per_second: number | null;
  @ApiProperty({ type: () => OperationFailureRecord, nullable: true })
  readonly failure: OperationFailureRecord | null;
  @ApiProperty()
  readonly cancel_requested: boolean;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Id of the credential that created it.',
    example: 'cli_Rk2v9XwQ4tLs',
  })
  readonly created_by: string | null;
  @ApiProperty({ type: 'string', format: 'date-time', description: 'Creation time.' })
  readonly created_at: string;
  @ApiProperty({ type: 'string', format: 'date-time', description: 'Time of the last change.' })
  readonly updated_at: string;
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'null until it has ended.' })
  readonly finished_at: string | null;
  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Of a failed one: when it was dismissed, or tried again. null: it needs attention.',
  })
  readonly dismissed_at: string | null;
}

/** @param model the current name in the inventory, for operations without one */
export const operationRecord = (operation: OperationView, model: string | null): OperationRecord => ({
  object: 'operation',
  id: operation.id,
  kind: operation.kind,
  node_id: operation.nodeId,
  node_name: operation.nodeName,
  node_online: operation.nodeOnline,
  engine: operation.engine,
  model: operation.model ?? model,
  model_key: operation.modelKey,
  source: operation.source,
  load: operation.loadAfter,
  context_tokens: operation.contextTokens,
  state: operation.state,
  phase: operation.phase,
  completed_bytes: operation.completedBytes,
  total_bytes: operation.totalBytes,
  bytes_per_second: operation.bytesPerSecond,
  failure: operation.failure,
  cancel_requested: operation.cancelRequested,
  created_by: operation.createdBy,
  created_at: operation.createdAt.toISOString(),
  updated_at: operation.updatedAt.toISOString(),
  finished_at: operation.finishedAt?.toISOString() ?? null,
  dismissed_at: operation.dismissedAt?.toISOString() ?? null,
});
