/** Samples and tokens of a node as lists with one value per bucket. */
import type { SampledBucket, SampledRange } from '../../nodes/samples/node-samples.store.js';
import type { ModelHistoryRecord, NodeHistoryRecord } from './node-history-record.js';
import type { ModelTokens } from './node-history.store.js';

export const historyRanges = ['hour', 'day', 'week'] as const;
export type HistoryRange = (typeof historyRanges)[number];

const shapes: Readonly<Record<HistoryRange, Pick<SampledRange, 'bucketSeconds' | 'buckets'>>> = {
  hour: { bucketSeconds: 60, buckets: 60 },
  day: { bucketSeconds: 900, buckets: 96 },
  week: { bucketSeconds: 7_200, buckets: 84 },
};

/** More lines cannot be told apart. */
const MOST_MODELS = 7;

/** The last bucket is the one that has begun. */
export function rangeUntil(range: HistoryRange, nowMs: number): SampledRange {
  const { bucketSeconds, buckets } = shapes[range];
  const bucketMs = bucketSeconds * 1_000;
  return { start: new Date((Math.floor(nowMs / bucketMs) - buckets + 1) * bucketMs), bucketSeconds, buckets };
}

type History = Omit<NodeHistoryRecord, 'object' | 'node_id' | 'range'>;

export function nodeHistory(
  { start, bucketSeconds, buckets }: SampledRange,
  samples: readonly SampledBucket[],
  tokens: readonly ModelTokens[],
): History {
  const byBucket = new Map(samples.map((sample) => [sample.bucket, sample]));
  const indexes = Array.from({ length: buckets }, (_, index) => index);
  const figures = (read: (sample: SampledBucket) => number | null): (number | null)[] =>
    indexes.map((index) => {
      const sample = byBucket.get(index);
      return sample === undefined ? null : read(sample);
    });
  const whole = (read: (sample: SampledBucket) => number | null): (number | null)[] =>
    figures(read).map((value) => (value === null ? null : Math.round(value)));
  return {
    bucket_seconds: bucketSeconds,
    buckets: indexes.map((index) => new Date(start.getTime() + index * bucketSeconds * 1_000).toISOString()),
    slots_used: figures(({ slotsUsed }) => Math.round(slotsUsed * 100) / 100),
    slots_total: whole(({ slotsTotal }) => slotsTotal),
    memory_used_bytes: whole(({ memoryUsed }) => memoryUsed),
    memory_total_bytes: whole(({ memoryTotal }) => memoryTotal),
    gpu_used_bytes: whole(({ gpuUsed }) => gpuUsed),
    gpu_total_bytes: whole(({ gpuTotal }) => gpuTotal),
    models: modelsOf(tokens, buckets, bucketSeconds),
  };
}

function modelsOf(tokens: readonly ModelTokens[], buckets: number, bucketSeconds: number): ModelHistoryRecord[] {
  const models = new Map<string | null, { name: string | null; sum: number; values: number[] }>();
  for (const { bucket, model, name, tokens: count } of tokens) {
    let known = models.get(model);
    if (known === undefined) {
      models.set(model, (known = { name, sum: 0, values: Array.from({ length: buckets }, () => 0) }));
    }
    known.sum += count;
    known.values[bucket] = (known.values[bucket] ?? 0) + count;
  }
  const ranked = Array.from(models, ([model, facts]) => ({ model, ...facts })).sort((a, b) => b.sum - a.sum);
  const own = ranked.slice(0, MOST_MODELS);
  const rest = ranked.slice(MOST_MODELS);
  const others = Array.from({ length: buckets }, (_, index) =>
    rest.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );
  const perSecond = (values: readonly number[]): number[] =>
    values.map((count) => Math.round((count / bucketSeconds) * 100) / 100);
  return [
    ...own.map(({ model, name, values }) => ({ model, name, tokens_per_second: perSecond(values) })),
    ...(rest.length === 0 ? [] : [{ model: null, name: null, tokens_per_second: perSecond(others) }]),
  ];
}
