import { describe, expect, it } from '@jest/globals';
import type { SampledBucket } from '../../nodes/samples/node-samples.store.js';
import { nodeHistory, rangeUntil } from './node-history.js';

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
const sample = (bucket: number, values: Partial<SampledBucket> = {}): SampledBucket => ({
  bucket,
  slotsUsed: 1.504,
  slotsTotal: 4,
  memoryUsed: 10.4,
  memoryTotal: 64,
  gpuUsed: null,
  gpuTotal: null,
  ...values,
});

describe('the history of a node', () => {
  it.each([
    ['hour', 60, 60, '2026-01-02T02:05:00.000Z', '2026-01-02T03:04:00.000Z'],
    ['day', 96, 900, '2026-01-01T03:15:00.000Z', '2026-01-02T03:00:00.000Z'],
    ['week', 84, 7_200, '2025-12-26T04:00:00.000Z', '2026-01-02T02:00:00.000Z'],
  ] as const)('the history of a node has the buckets of the last %s', (range, count, seconds, first, last) => {
    const { buckets, bucket_seconds, models } = nodeHistory(rangeUntil(range, NOW_MS), [], []);
    expect([buckets.length, bucket_seconds, buckets[0], buckets.at(-1), models]).toEqual([
      count,
      seconds,
      first,
      last,
      [],
    ]);
  });

  it('the history of a node has a value for each sampled bucket, and null while the node was offline', () => {
    const history = nodeHistory(rangeUntil('hour', NOW_MS), [sample(0), sample(2, { gpuUsed: 7, gpuTotal: 8 })], []);
    expect(history.slots_used.slice(0, 4)).toEqual([1.5, null, 1.5, null]);
    expect(history.memory_used_bytes.slice(0, 2)).toEqual([10, null]);
    expect(history.gpu_total_bytes.slice(0, 3)).toEqual([null, null, 8]);
  });

  it('the history of a node has tokens a second by model, and all but the busiest together', () => {
    const tokens = Array.from({ length: 9 }, (_, index) => ({
      bucket: 1,
      model: `mdl_${String(index)}`,
      name: `model ${String(index)}`,
      tokens: 600 - index * 60,
    }));
    const { models } = nodeHistory(rangeUntil('hour', NOW_MS), [], tokens);
    expect(models).toHaveLength(8);
    expect(models[0]).toMatchObject({ model: 'mdl_0', name: 'model 0' });
    expect(models[0]?.tokens_per_second.slice(0, 3)).toEqual([0, 10, 0]);
    expect(models[7]).toMatchObject({ model: null, name: null });
    expect(models[7]?.tokens_per_second[1]).toBe(5);
  });
});
