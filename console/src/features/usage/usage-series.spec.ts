import { describe, expect, it } from '@jest/globals';
import { bucketRows, resolutionOf, seriesCsv, shownRows, stacksOf, type UsageSeries } from './usage-series';

const group = (name: string, requests: number[]): UsageSeries['groups'][number] => ({
  key: `mdl_${name}`,
  name,
  requests,
  input_tokens: requests.map((count) => count * 10),
  output_tokens: requests,
  failed: requests.map(() => 0),
  rejected: requests.map(() => 0),
});

const series = (groups: UsageSeries['groups'], others: UsageSeries['others'] = null): UsageSeries => ({
  object: 'usage_series',
  bucket: 'day',
  by: 'model',
  time_zone: 'UTC',
  until: '2026-01-03T00:00:00.000Z',
  buckets: ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
  groups,
  others,
  latency: [null, { ttft_p50_ms: 100, ttft_p95_ms: 200, duration_p50_ms: 300, duration_p95_ms: 400 }],
  errors: [],
});

describe('stacks of the chart', () => {
  it('stacks of the chart are tokens or requests of each group', () => {
    const data = series([group('tiny', [1, 2])]);
    expect(stacksOf(data, 'requests')).toEqual([{ name: 'tiny', values: [1, 2] }]);
    expect(stacksOf(data, 'tokens')).toEqual([{ name: 'tiny', values: [11, 22] }]);
  });

  it('stacks of the chart leave out groups with nothing to show', () => {
    const data = series([group('tiny', [1, 2]), group('rejected', [0, 0])]);
    expect(stacksOf(data, 'requests').map(({ name }) => name)).toEqual(['tiny']);
  });

  it('stacks of the chart combine groups without a colour of their own, including those combined by the relay', () => {
    const many = Array.from({ length: 9 }, (_, index) => group(String(index), [1, 0]));
    const stacks = stacksOf(series(many, { ...group('', [5, 1]), groups: 4 }), 'requests');
    expect(stacks).toHaveLength(8);
    expect(stacks[7]).toEqual({ name: '6 others', values: [7, 1] });
  });
});

it('the titles of charts name the bucket', () => {
  expect(resolutionOf({ bucket: 'hour' })).toBe('per hour');
  expect(resolutionOf({ bucket: 'day' })).toBe('per day');
});

it('the table has every bucket, the newest first', () => {
  const rows = bucketRows(series([group('tiny', [0, 2]), group('big', [0, 1])]));
  expect(rows.map(({ start, requests, inputTokens }) => [start.slice(0, 10), requests, inputTokens])).toEqual([
    ['2026-01-02', 3, 30],
    ['2026-01-01', 0, 0],
  ]);
  expect(rows[0]).toMatchObject({ latency: { ttft_p50_ms: 100 }, groups: [{ name: 'tiny' }, { name: 'big' }] });
});

it('the table leaves out times without requests where they are many', () => {
  const rows = bucketRows(series([group('tiny', [0, 2])]));
  expect(shownRows(rows, 2)).toEqual({ rows, hidden: 0 });
  const { rows: shown, hidden } = shownRows(rows, 1);
  expect(shown.map(({ requests }) => requests)).toEqual([2]);
  expect(hidden).toBe(1);
});

it('the CSV runs no formula in a spreadsheet', () => {
  expect(seriesCsv(series([group('=cmd(),"x"', [1, 0])])).split('\r\n')).toEqual([
    'start,model,name,requests,input_tokens,output_tokens,failed,rejected',
    `2026-01-01T00:00:00.000Z,"mdl_=cmd(),""x""","'=cmd(),""x""",1,10,1,0,0`,
    `2026-01-02T00:00:00.000Z,"mdl_=cmd(),""x""","'=cmd(),""x""",0,0,0,0,0`,
    '',
  ]);
});
