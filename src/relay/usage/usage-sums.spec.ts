import { describe, expect, it } from '@jest/globals';
import { usageRowOf } from '../../../test/support/db/usage-rows.js';
import { UsageBatch } from './usage-batch.js';
import type { UsageRow } from './usage-row.js';
import type { UsageSum } from './usage-sums.js';

const account_id = 'acc_a';

const usageSums = (rows: readonly UsageRow[]): readonly UsageSum[] => new UsageBatch(rows).sums;

describe('the sums of a batch', () => {
  it('the sums of a batch are kept apart by each part of the key of an hour', () => {
    const sums = usageSums([
      usageRowOf({ account_id }),
      usageRowOf({ account_id }),
      usageRowOf({ account_id: 'acc_b' }),
      usageRowOf({ account_id, started_at: '2026-01-01T01:00:00.000Z' }),
      usageRowOf({ account_id, key_id: 'key_BBBBBBBBBBBB' }),
      usageRowOf({ account_id, node_id: null }),
      usageRowOf({ account_id, cluster_id: null }),
      usageRowOf({ account_id, model: null }),
      usageRowOf({ account_id, dialect: 'messages' }),
    ]);
    expect(sums.map(({ requests }) => requests)).toEqual([2, 1, 1, 1, 1, 1, 1, 1]);
  });

  it('the sums of a batch begin with the hour in which a request started', () => {
    const [sum] = usageSums([usageRowOf({ account_id, started_at: '2026-01-01T23:59:59.999Z' })]);
    expect(sum?.hour).toBe('2026-01-01T23:00:00Z');
  });

  it('the sums of a batch count every outcome and token', () => {
    const outcomes = ['completed', 'failed', 'cancelled', 'timed_out', 'rejected', 'completed'];
    const sums = usageSums(
      outcomes.map((outcome, index) =>
        usageRowOf({ account_id, outcome, source: index === 0 ? 'estimated' : 'engine' }),
      ),
    );
    expect(sums).toEqual([
      expect.objectContaining({
        requests: 6,
        completed: 2,
        failed: 1,
        cancelled: 1,
        timed_out: 1,
        rejected: 1,
        input_tokens: 60,
        cached_tokens: 24,
        output_tokens: 30,
        reasoning_tokens: 6,
        estimated_requests: 1,
      }),
    ]);
  });
});
