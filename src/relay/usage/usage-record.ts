import { ApiProperty } from 'nest-swagger';
import type { LoggedRequest } from './request-log.store.js';
import type { UsageFigures, UsageGroup, UsageQuery, UsageTotals } from './usage-totals.js';

/** Requests and tokens of all outcomes. */
export class UsageFiguresRecord {
  @ApiProperty({ type: 'integer', example: 3 })
  readonly requests: number;
  @ApiProperty({ type: 'integer', example: 2 })
  readonly completed: number;
  @ApiProperty({ type: 'integer' })
  readonly failed: number;
  @ApiProperty({ type: 'integer', example: 1 })
  readonly cancelled: number;
  @ApiProperty({ type: 'integer' })
  readonly timed_out: number;
  @ApiProperty({ type: 'integer' })
  readonly rejected: number;
  @ApiProperty({ type: 'integer', example: 1_200 })
  readonly input_tokens: number;
  @ApiProperty({ type: 'integer', description: 'Part of the input tokens.', example: 400 })
  readonly cached_tokens: number;
  @ApiProperty({ type: 'integer', example: 800 })
  readonly output_tokens: number;
  @ApiProperty({ type: 'integer', description: 'Part of the output tokens.', example: 100 })
  readonly reasoning_tokens: number;
  @ApiProperty({
    type: 'integer',
    description: 'Requests with token counts estimated by the relay, because neither engine nor node reported them.',
  })
  readonly estimated_requests: number;
}

export class UsageGroupRecord extends UsageFiguresRecord {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Id, dialect, or start of an hour; null for requests without one.',
    example: 'key_q3Zr8TnV0aLk',
  })
  readonly key: string | null;
  @ApiProperty({ type: 'string', nullable: true, example: 'my app' })
  readonly name: string | null;
}

export class UsageRecord {
  @ApiProperty({ enum: ['usage'] })
  readonly object: 'usage';
  @ApiProperty({ type: 'string', format: 'date-time', description: 'ISO 8601, UTC; start of an hour.' })
  readonly since: string;
  @ApiProperty({ type: 'string', format: 'date-time', description: 'End, exclusive.' })
  readonly until: string;
  @ApiProperty({ enum: ['model', 'node', 'key', 'cluster', 'dialect', 'hour'] })
  readonly by: string;
  @ApiProperty({ type: () => [UsageGroupRecord] })
  readonly data: readonly UsageGroupRecord[];
  @ApiProperty({ description: 'Whether there are more groups; `totals` includes them.' })
  readonly has_more: boolean;
  @ApiProperty({ type: () => UsageFiguresRecord })
  readonly totals: UsageFiguresRecord;
}

export const usageRecord = (
  { since, until, by }: Pick<UsageQuery, 'since' | 'until' | 'by'>,
  { groups, hasMore, totals }: UsageTotals,
): UsageRecord => ({
  object: 'usage',
  since: since.toISOString(),
  until: until.toISOString(),
  by,
  data: groups.map(groupRecord),
  has_more: hasMore,
  totals: figuresRecord(totals),
});

const groupRecord = (group: UsageGroup): UsageGroupRecord => ({
  key: group.key,
  name: group.name,
  ...figuresRecord(group),
});

const figuresRecord = (figures: UsageFigures): UsageFiguresRecord => ({
  requests: figures.requests,
  completed: figures.completed,
  failed: figures.failed,
  cancelled: figures.cancelled,
  timed_out: figures.timedOut,
  rejected: figures.rejected,
  input_tokens: figures.inputTokens,
  cached_tokens: figures.cachedTokens,
  output_tokens: figures.outputTokens,
  reasoning_tokens: figures.reasoningTokens,
  estimated_requests: figures.estimatedRequests,
});

/** A request in the log: metadata only. `source` is null if it reached no engine. Times in ISO 8601, durations in milliseconds. */
export class LoggedRequestRecord {
  @ApiProperty({ enum: ['usage.request'] })
  readonly object: 'usage.request';
  @ApiProperty({ example: 'req_5b1f0c9e7a3d4f6889e2c4b7d0a1f352' })
  readonly id: string;
  @ApiProperty({ type: 'string', format: 'date-time', description: 'Time of arrival.' })
  readonly started_at: string;
  @ApiProperty()
  readonly key_id: string;
  @ApiProperty({ type: 'string', nullable: true, description: 'null if it no longer exists.' })
  readonly key_name: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly node_id: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'null if it no longer exists.' })
  readonly node_name: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly cluster_id: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'null if it no longer exists.' })
  readonly cluster_name: string | null;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Selector of the model.',
    example: 'mdl_0123456789abcdef',
  })
  readonly model: string | null;
  @ApiProperty({ type: 'string', nullable: true, example: 'Qwen3 8B' })
  readonly model_name: string | null;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Model name in the request, also of a model that no node has.',
    example: 'qwen3:8b',
  })
  readonly requested_model: string | null;
  @ApiProperty({ example: 'chat' })
  readonly dialect: string;
  @ApiProperty()
  readonly stream: boolean;
  @ApiProperty({ example: 'completed' })
  readonly outcome: string;
  @ApiProperty({ type: 'string', nullable: true, description: 'Error code.' })
  readonly code: string | null;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: "Error message of the response, shortened: the engine's own words where it failed.",
    example: 'model requires more system memory than is available',
  })
  readonly message: string | null;
  @ApiProperty({ type: 'integer', example: 1 })
  readonly attempts: number;
  @ApiProperty({ description: 'Whether the prompt may have run twice, because of a lost attempt or a hedge.' })
  readonly retried: boolean;
  @ApiProperty({ type: 'integer', example: 400 })
  readonly input_tokens: number;
  @ApiProperty({ type: 'integer', description: 'Part of the input tokens.' })
  readonly cached_tokens: number;
  @ApiProperty({ type: 'integer', example: 250 })
  readonly output_tokens: number;
  @ApiProperty({ type: 'integer', description: 'Part of the output tokens.' })
  readonly reasoning_tokens: number;
  @ApiProperty({ enum: ['engine', 'counted', 'estimated'], nullable: true, description: 'Source of the token counts.' })
  readonly source: string | null;
  @ApiProperty({ type: 'integer', description: 'Part of the duration.' })
  readonly queue_ms: number;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Time to the first token of a stream; null for a whole response.',
    example: 180,
  })
  readonly ttft_ms: number | null;
  @ApiProperty({ type: 'integer', example: 4_200 })
  readonly duration_ms: number;
}

export const loggedRequestRecord = ({ id, started_at, ...request }: LoggedRequest): LoggedRequestRecord => ({
  object: 'usage.request',
  id,
  started_at: started_at.toISOString(),
  ...request,
});
