import { copyLine } from '../platform/database/copy-rows.js';
import type { UsageRow } from './usage-row.js';

export const requestLogColumns = [
  'account_id',
  'id',
  'started_at',
  'key_id',
  'node_id',
  'cluster_id',
  'model',
  'model_name',
  'dialect',
  'stream',
  'outcome',
  'code',
  'attempts',
  'retried',
  'input_tokens',
  'cached_tokens',
  'output_tokens',
  'reasoning_tokens',
  'source',
  'queue_ms',
  'ttft_ms',
  'duration_ms',
] as const satisfies readonly (keyof UsageRow)[];

/** A row of the request log for `copyRows`, in the order of the columns. */
export const requestLogLine = (row: UsageRow): string =>
  copyLine([
    row.account_id,
    row.id,
    row.started_at,
    row.key_id,
    row.node_id,
    row.cluster_id,
    row.model,
    row.model_name,
    row.dialect,
    row.stream,
    row.outcome,
    row.code,
    row.attempts,
    row.retried,
    row.input_tokens,
    row.cached_tokens,
    row.output_tokens,
    row.reasoning_tokens,
    row.source,
    row.queue_ms,
    row.ttft_ms,
    row.duration_ms,
  ]);
