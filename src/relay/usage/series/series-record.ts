import { ApiProperty } from 'nest-swagger';
import type { BucketLatency, SeriesFigures, SeriesQuery, UsageSeries } from './usage-series.js';

const COUNTS = { type: 'integer', isArray: true } as const;

/** One value per bucket. */
export class SeriesFiguresRecord {
  @ApiProperty({ ...COUNTS, example: [3] })
  readonly requests: readonly number[];
  @ApiProperty({ ...COUNTS, example: [1_200] })
  readonly input_tokens: readonly number[];
  @ApiProperty({ ...COUNTS, example: [800] })
  readonly output_tokens: readonly number[];
  @ApiProperty({ ...COUNTS, description: 'Requests that failed or timed out.', example: [1] })
  readonly failed: readonly number[];
  @ApiProperty({ ...COUNTS, description: 'Requests that were refused before a node ran them.', example: [0] })
  readonly rejected: readonly number[];
}

export class SeriesGroupRecord extends SeriesFiguresRecord {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Id of the group; null for requests without one, or without grouping.',
    example: 'mdl_0123456789abcdef',
  })
  readonly key: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'null if it no longer exists.', example: 'Qwen3 8B' })
  readonly name: string | null;
}

export class OtherSeriesRecord extends SeriesFiguresRecord {
  @ApiProperty({ type: 'integer', description: 'Current number.', example: 4 })
  readonly groups: number;
}

/** Percentiles of the completed requests of one bucket, in milliseconds: the first token of streams, the duration of all. */
export class SeriesLatencyRecord {
  @ApiProperty({ type: 'integer', nullable: true, description: 'null without a stream.', example: 180 })
  readonly ttft_p50_ms: number | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'null without a stream.', example: 620 })
  readonly ttft_p95_ms: number | null;
  @ApiProperty({ type: 'integer', example: 4_200 })
  readonly duration_p50_ms: number;
  @ApiProperty({ type: 'integer', example: 9_800 })
  readonly duration_p95_ms: number;
}

export class ErrorCountRecord {
  @ApiProperty({ example: 'model_not_loaded' })
  readonly code: string;
  @ApiProperty({ type: 'integer', example: 1 })
  readonly count: number;
}

export class UsageSeriesRecord {
  @ApiProperty({ enum: ['usage_series'] })
  readonly object: 'usage_series';
  @ApiProperty({ enum: ['hour', 'day'] })
  readonly bucket: string;
  @ApiProperty({ enum: ['model', 'key', 'node', 'none'] })
  readonly by: string;
  @ApiProperty({ example: 'Europe/Berlin' })
  readonly time_zone: string;
  @ApiProperty({ type: 'string', format: 'date-time', description: 'End of the last bucket.' })
  readonly until: string;
  @ApiProperty({
    type: 'string',
    isArray: true,
    description:
      'Start times of the buckets, ISO 8601. Every list of numbers has one value per bucket, 0 for an empty one.',
    example: ['2026-11-21T23:00:00.000Z'],
  })
  readonly buckets: readonly string[];
  @ApiProperty({ type: () => [SeriesGroupRecord], description: 'Groups with the most tokens, in descending order.' })
  readonly groups: readonly SeriesGroupRecord[];
  @ApiProperty({
    type: () => OtherSeriesRecord,
    nullable: true,
    description: 'All other groups together; null if there are none.',
  })
  readonly others: OtherSeriesRecord | null;
  @ApiProperty({
    type: 'array',
    items: { anyOf: [{ $ref: '#/components/schemas/SeriesLatencyRecord' }, { type: 'null' }] },
    description: 'From the request log, within its retention; null if no request was completed.',
    example: [{ ttft_p50_ms: 180, ttft_p95_ms: 620, duration_p50_ms: 4_200, duration_p95_ms: 9_800 }],
  })
  readonly latency: readonly (SeriesLatencyRecord | null)[];
  @ApiProperty({ type: () => [ErrorCountRecord], description: 'From the request log, most frequent first.' })
  readonly errors: readonly ErrorCountRecord[];
}

export const usageSeriesRecord = (
  query: Pick<SeriesQuery, 'buckets' | 'by' | 'until'>,
  { bucket, timeZone }: { readonly bucket: string; readonly timeZone: string },
  { groups, others, latency, errors }: UsageSeries,
): UsageSeriesRecord => ({
  object: 'usage_series',
  bucket,
  by: query.by,
  time_zone: timeZone,
  until: query.until.toISOString(),
  buckets: query.buckets.map((start) => start.toISOString()),
  groups: groups.map(({ key, name, figures }) => ({ key, name, ...figuresRecord(figures) })),
  others: others === null ? null : { groups: others.groups, ...figuresRecord(others.figures) },
  latency: latency.map((one) => (one === null ? null : latencyRecord(one))),
  errors,
});

const figuresRecord = (figures: readonly SeriesFigures[]): Pick<SeriesFiguresRecord, keyof SeriesFiguresRecord> => ({
  requests: figures.map(({ requests }) => requests),
  input_tokens: figures.map(({ inputTokens }) => inputTokens),
  output_tokens: figures.map(({ outputTokens }) => outputTokens),
  failed: figures.map(({ failed }) => failed),
  rejected: figures.map(({ rejected }) => rejected),
});

const latencyRecord = (latency: BucketLatency): SeriesLatencyRecord => ({
  ttft_p50_ms: rounded(latency.ttftP50Ms),
  ttft_p95_ms: rounded(latency.ttftP95Ms),
  duration_p50_ms: Math.round(latency.durationP50Ms),
  duration_p95_ms: Math.round(latency.durationP95Ms),
});

const rounded = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : Math.round(milliseconds);
