/** What the charts of one computer show: always the same three, so that none moves another when it has something to show. */
import type { Schemas } from '../../api/management-api.types';
import type { Capacity } from '../../components/chart-marks';
import type { ChartSeries } from '../../components/chart-options';
import { count, decimal, tokensPerSecond } from '../../components/format';
import { GIBIBYTE, memorySize } from '../../components/node-facts';
import { seriesColor } from '../../components/series-color';
import type { Drawn } from './history-table';

type History = Schemas['NodeHistory'];

/** @param joinedMs before which nothing is known of the computer, in milliseconds since 1970 */
export function historyCharts(history: History, joinedMs: number): readonly Drawn[] {
  const { range, slots_total, memory_total_bytes, gpu_total_bytes } = history;
  const isKnown = history.buckets.map((start) => Date.parse(start) + history.bucket_seconds * 1_000 > joinedMs);
  const models: readonly ChartSeries[] = history.models.map(({ model, name, tokens_per_second }, index) => ({
    name: name ?? model ?? 'Other models',
    color: seriesColor(index),
    values: tokens_per_second.map((value, bucket) => (isKnown[bucket] === false ? null : value)),
  }));
  const memory: readonly ChartSeries[] = [
    { name: 'Memory', color: '--series-2', values: history.memory_used_bytes },
    { name: 'Graphics memory', color: '--series-3', values: history.gpu_used_bytes },
  ].filter(({ values }) => values.some((value) => value !== null));
  const mean = `mean per ${bucketText(history.bucket_seconds)}`;
  const noTokens = `No request that ended in the last ${range} generated tokens.`;
  return [
    {
      title: `Tokens per second, ${mean}`,
      series: models,
      unit: { name: 'tok/s', of: (value) => value },
      format: tokensPerSecond,
      // No sample is needed to know that.
      none: noTokens,
      zero: noTokens,
    },
    {
      title: `Slots in use, ${mean}`,
      series: [{ name: 'Slots', color: '--series-1', values: history.slots_used }],
      hasOwnNames: true,
      format: (value) => decimal(value, 1),
      // There is no half a slot.
      formatAxis: count,
      capacity: largest(slots_total, 1),
      // Shorter requests may have come between two samples.
      zero: `No sample of the last ${range} shows a slot in use.`,
    },
    {
      title: `Memory in use, ${mean}`,
      series: memory,
      hasOwnNames: true,
      unit: { name: 'GB', of: (value) => value / GIBIBYTE },
      format: memorySize,
      formatAxis: (value) => `${count(value / GIBIBYTE)} GB`,
      capacity: largest([...memory_total_bytes, ...gpu_total_bytes], GIBIBYTE),
      zero: 'No memory was in use.',
    },
  ];
}

/** @returns undefined: never known */
function largest(totals: readonly (number | null)[], unit: number): Capacity | undefined {
  const value = totals.reduce<number>((most, total) => Math.max(most, total ?? 0), 0);
  return value > 0 ? { value, unit } : undefined;
}

/** "minute", "15 minutes", "hour" */
function bucketText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return minutes === 1 ? 'minute' : `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours === 1 ? 'hour' : `${hours} hours`;
}
