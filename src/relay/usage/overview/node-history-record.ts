import { ApiProperty } from 'nest-swagger';

const FIGURES = { type: 'array' as const, items: { anyOf: [{ type: 'number' as const }, { type: 'null' as const }] } };

export class ModelHistoryRecord {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Selector of the model; null for all other models together.',
  })
  readonly model: string | null;
  @ApiProperty({ type: 'string', nullable: true, example: 'Qwen3 8B' })
  readonly name: string | null;
  @ApiProperty({ type: 'number', isArray: true, example: [41.5] })
  readonly tokens_per_second: readonly number[];
}

/** Load of a node over time. Each list has one value per bucket. */
export class NodeHistoryRecord {
  @ApiProperty({ enum: ['node_history'] })
  readonly object: 'node_history';
  @ApiProperty()
  readonly node_id: string;
  @ApiProperty({ enum: ['hour', 'day', 'week'] })
  readonly range: string;
  @ApiProperty({ type: 'integer', example: 60 })
  readonly bucket_seconds: number;
  @ApiProperty({
    type: 'string',
    isArray: true,
    description: 'Start times of the buckets, ISO 8601.',
    example: ['2026-11-21T23:00:00.000Z'],
  })
  readonly buckets: readonly string[];
  @ApiProperty({ ...FIGURES, description: 'Mean; null while the node was offline, here and below.', example: [1.5] })
  readonly slots_used: readonly (number | null)[];
  @ApiProperty({ ...FIGURES, example: [4] })
  readonly slots_total: readonly (number | null)[];
  @ApiProperty({ ...FIGURES, example: [17_179_869_184] })
  readonly memory_used_bytes: readonly (number | null)[];
  @ApiProperty({ ...FIGURES, example: [34_359_738_368] })
  readonly memory_total_bytes: readonly (number | null)[];
  @ApiProperty({ ...FIGURES, description: 'Of graphics processors with memory of their own.', example: [null] })
  readonly gpu_used_bytes: readonly (number | null)[];
  @ApiProperty({ ...FIGURES, example: [null] })
  readonly gpu_total_bytes: readonly (number | null)[];
  @ApiProperty({
    type: () => [ModelHistoryRecord],
    description: 'Output tokens of the requests that ended in a bucket, by model, the most first.',
  })
  readonly models: readonly ModelHistoryRecord[];
}
