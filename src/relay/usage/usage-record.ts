import type { LoggedRequest } from './request-log.store.js';
import type { UsageFigures, UsageGroup, UsageQuestion, UsageTotals } from './usage-totals.js';
import { ApiProperty } from '../platform/openapi/decorators.js';

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
  @ApiProperty({ type: 'integer', description: 'Of the input.', example: 400 })
  readonly cached_tokens: number;
  @ApiProperty({ type: 'integer', example: 800 })
  readonly output_tokens: number;
  @ApiProperty({ type: 'integer', description: 'Of the output.', example: 100 })
  readonly reasoning_tokens: number;
  @ApiProperty({
    type: 'integer',
    description: 'Requests whose tokens the relay estimated, because neither engine nor node reported them.',
  })
  readonly estimated_requests: number;
}

export class UsageGroupRecord extends UsageFiguresRecord {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'An id, a dialect, or the beginning of an hour; null: requests that never had one.',
    example: 'key_q3Zr8TnV0aLk',
  })
  readonly key: string | null;
  @ApiProperty({ type: 'string', nullable: true, example: 'my app' })
  readonly name: string | null;
}

export class UsageRecord {
  @ApiProperty({ enum: ['usage'] })
  readonly object: 'usage';
  @ApiProperty({ type: 'string', format: 'date-time', description: 'ISO 8601, UTC; the beginning of an hour.' })
  readonly since: string;
  @ApiProperty({ type: 'string', format: 'date-time', description: 'The end.' })
  readonly until: string;
  @ApiProperty({ enum: ['model', 'node', 'key', 'cluster', 'dialect', 'hour'] })
  readonly by: string;
  @ApiProperty({ type: () => [UsageGroupRecord] })
  readonly data: readonly UsageGroupRecord[];
  @ApiProperty({ description: 'There are groups beyond those shown; `totals` counts them, too.' })
  readonly has_more: boolean;
  @ApiProperty({ type: () => UsageFiguresRecord })
  readonly totals: UsageFiguresRecord;
}

export const usageRecord = (
  { since, until, by }: Pick<UsageQuestion, 'since' | 'until' | 'by'>,
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

/** One request of the log: metadata only. `source` is null where no engine had it. Times in ISO 8601 and milliseconds. */
export class LoggedRequestRecord {
  @ApiProperty({ enum: ['usage.request'] })
  readonly object: 'usage.request';
  @ApiProperty({ example: 'req_5b1f0c9e7a3d4f6889e2c4b7d0a1f352' })
  readonly id: string;
  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it came.' })
  readonly started_at: string;
  @ApiProperty()
  readonly key_id: string;
  @ApiProperty({ type: 'string', nullable: true, description: 'null: it has no name any more.' })
  readonly key_name: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly node_id: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'null: it has no name any more.' })
  readonly node_name: string | null;
  @ApiProperty({ type: 'string', nullable: true })
  readonly cluster_id: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'null: it has no name any more.' })
  readonly cluster_name: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'Selector.', example: 'mdl_0123456789abcdef' })
  readonly model: string | null;
  @ApiProperty({ type: 'string', nullable: true, example: 'Qwen3 8B' })
  readonly model_name: string | null;
  @ApiProperty({ example: 'chat' })
  readonly dialect: string;
  @ApiProperty()
  readonly stream: boolean;
  @ApiProperty({ example: 'completed' })
  readonly outcome: string;
  @ApiProperty({ type: 'string', nullable: true, description: 'Of the error.' })
  readonly code: string | null;
  @ApiProperty({ type: 'integer', example: 1 })
  readonly attempts: number;
  @ApiProperty({ description: 'The prompt may have been run twice: after the first run was lost, or by hedging.' })
  readonly retried: boolean;
  @ApiProperty({ type: 'integer', example: 400 })
  readonly input_tokens: number;
  @ApiProperty({ type: 'integer', description: 'Of the input.' })
  readonly cached_tokens: number;
  @ApiProperty({ type: 'integer', example: 250 })
  readonly output_tokens: number;
  @ApiProperty({ type: 'integer', description: 'Of the output.' })
  readonly reasoning_tokens: number;
  @ApiProperty({ enum: ['engine', 'counted', 'estimated'], nullable: true, description: 'Who counted the tokens.' })
  readonly source: string | null;
  @ApiProperty({ type: 'integer' })
  readonly queue_ms: number;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Until the first token.', example: 180 })
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
