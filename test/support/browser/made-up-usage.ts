/** Weeks of use that no test could make: several models over time, on one computer and in the account. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GIBIBYTE = 2 ** 30;

/** A wave with a few jags, so that each series looks different and the same each time. */
const wave = (index: number, phase: number): number =>
  (Math.sin(index / 5 + phase) + 1) / 2 + (((index + phase) * 7) % 5) / 20;

const times = (count: number, stepMs: number): readonly number[] => {
  const last = Math.floor(Date.now() / stepMs) * stepMs;
  return Array.from({ length: count }, (_, index) => last - (count - 1 - index) * stepMs);
};

const iso = (time: number): string => new Date(time).toISOString();

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const MODELS = ['Qwen3 8B', 'gemma-3-27b-it-qat-q4_0', 'gpt-oss:120b', 'Llama 3.3 70B Instruct'];

/** An answer to `GET /api/usage/series`, by model: seven days. */
export function madeUpSeries(): object {
  const days = times(7, DAY_MS);
  const groups = MODELS.map((name, model) => {
    const requests = days.map((_, day) => Math.round(400 * wave(day * 3, model)));
    return {
      key: `mdl_${model}`,
      name,
      requests,
      input_tokens: requests.map((count) => count * 900),
      output_tokens: requests.map((count) => count * 240),
      failed: requests.map((count) => Math.floor(count / 150)),
      rejected: days.map((_, day) => (day === 4 ? 3 : 0)),
    };
  });
  return {
    object: 'usage_series',
    bucket: 'day',
    by: 'model',
    time_zone: 'UTC',
    until: iso(Date.now()),
    buckets: days.map(iso),
    groups,
    others: null,
    latency: days.map((_, day) => ({
      ttft_p50_ms: Math.round(180 + 90 * wave(day, 0)),
      ttft_p95_ms: Math.round(700 + 900 * wave(day, 2)),
      duration_p50_ms: 4_200,
      duration_p95_ms: 9_800,
    })),
    errors: [
      { code: 'engine_error', count: sumOf(groups.flatMap(({ failed }) => failed)) },
      { code: 'model_not_found', count: sumOf(groups.flatMap(({ rejected }) => rejected)) },
    ],
  };
}

/** An answer to `GET /api/nodes/{nodeId}/history`: an hour in which all four slots were in use for a while. */
export function madeUpHistory(): object {
  const minutes = times(60, 60_000);
  return {
    object: 'node_history',
    node_id: 'nd_made_up',
    range: 'hour',
    bucket_seconds: 60,
    buckets: minutes.map(iso),
    slots_used: minutes.map((_, minute) => Math.min(4, Math.round(8 * wave(minute, 1)) / 2)),
    slots_total: minutes.map(() => 4),
    memory_used_bytes: minutes.map((_, minute) => (14 + 3 * wave(minute, 2)) * GIBIBYTE),
    memory_total_bytes: minutes.map(() => 24 * GIBIBYTE),
    gpu_used_bytes: minutes.map((_, minute) => (9 + 6 * wave(minute, 3)) * GIBIBYTE),
    gpu_total_bytes: minutes.map(() => 16 * GIBIBYTE),
    models: MODELS.slice(0, 3).map((name, model) => ({
      model: `mdl_${model}`,
      name,
      tokens_per_second: minutes.map((_, minute) => Math.round(60 * wave(minute, model * 2))),
    })),
  };
}
