/** Finished requests as metering writes them. */
import type { UsageRow } from '../../../src/relay/usage/usage-row.js';

let rows = 0;

/** Completed at the beginning of 2026, with 10 tokens in (4 of them cached) and 5 out (1 of them reasoning). */
export const usageRowOf = (values: Partial<UsageRow> & Pick<UsageRow, 'account_id'>): UsageRow => ({
  id: `req_${String((rows += 1)).padStart(32, '0')}`,
  started_at: '2026-01-01T00:30:00.000Z',
  key_id: 'key_AAAAAAAAAAAA',
  node_id: `nd_${'a'.repeat(32)}`,
  cluster_id: 'cl_aaaaaaaa',
  model: 'mdl_0123456789abcdef',
  model_name: 'tiny',
  requested_model: 'tiny',
  dialect: 'chat',
  stream: true,
  outcome: 'completed',
  code: null,
  message: null,
  attempts: 1,
  retried: false,
  input_tokens: 10,
  cached_tokens: 4,
  output_tokens: 5,
  reasoning_tokens: 1,
  source: 'engine',
  queue_ms: 0,
  ttft_ms: 20,
  duration_ms: 100,
  ...values,
});
