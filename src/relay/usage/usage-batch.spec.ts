import { describe, expect, it } from '@jest/globals';
import { usageRowOf } from '../../../test/support/db/usage-rows.js';
import { lineColumns, UsageBatch } from './usage-batch.js';
import type { UsageRow } from './usage-row.js';

const account_id = 'acc_a';

/** Each line as the values of its columns. */
const linesOf = (rows: readonly UsageRow[]): Record<string, string>[] =>
  new UsageBatch(rows).lines
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => Object.fromEntries(line.split('\t').map((value, index) => [lineColumns[index] ?? '', value])));

const asCopied = (value: UsageRow[keyof UsageRow]): string => (value === null ? String.raw`\N` : String(value));

describe('a batch of usage', () => {
  it('a batch of usage has a line with every column of every row', () => {
    const other: { [Column in keyof UsageRow]: UsageRow[Column][] } = {
      account_id: ['acc_b'],
      id: ['req_other'],
      started_at: ['2026-01-02T00:30:00.000Z'],
      key_id: ['key_BBBBBBBBBBBB'],
      node_id: [`nd_${'b'.repeat(32)}`, null],
      cluster_id: ['cl_bbbbbbbb', null],
      model: ['mdl_fedcba9876543210', null],
      model_name: ['other', null],
      requested_model: ['other-model', null],
      dialect: ['messages'],
      stream: [false],
      outcome: ['failed'],
      code: ['engine_error'],
      message: ['no memory'],
      attempts: [2],
      retried: [true],
      input_tokens: [11],
      cached_tokens: [12],
      output_tokens: [13],
      reasoning_tokens: [14],
      source: ['estimated', null],
      queue_ms: [15],
      ttft_ms: [16, null],
      duration_ms: [17],
    };
    const rows = [usageRowOf({ account_id })];
    // Between two rows that are alike, so that what is remembered of one would show in the other.
    for (const [column, values] of Object.entries(other))
      for (const value of values) rows.push(usageRowOf({ account_id, [column]: value }), usageRowOf({ account_id }));
    const expected = rows.map((row) =>
      Object.fromEntries(lineColumns.map((column) => [column, asCopied(row[column])])),
    );
    expect(linesOf(rows)).toEqual(expected);
    expect([...lineColumns].sort()).toEqual(Object.keys(usageRowOf({ account_id })).sort());
  });

  it('escapes the names that nodes report', () => {
    const [line] = linesOf([usageRowOf({ account_id, model_name: 'a\tb\nc\\d' })]);
    expect(line?.['model_name']).toBe(String.raw`a\tb\nc\\d`);
  });

  it('a batch of usage of thousands of rows keeps their order', () => {
    const rows = Array.from({ length: 3_000 }, () => usageRowOf({ account_id }));
    expect(linesOf(rows).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  it('names each object once, a model as it is called last', () => {
    const { named } = new UsageBatch([
      usageRowOf({ account_id, model_name: 'before' }),
      usageRowOf({ account_id }),
      usageRowOf({ account_id, model_name: 'after' }),
    ]);
    expect(named.map(({ kind, name }) => [kind, name])).toEqual([
      ['key', null],
      ['node', null],
      ['cluster', null],
      ['model', 'after'],
    ]);
  });
});
