import { afterEach, describe, expect, test } from '@jest/globals';
import { LabelledCounter } from './labelled-counter.js';
import { renderMetrics, single, type Metric } from './metric.js';
import { MetricsServer } from './metrics-server.js';
import { TimeHistogram } from './time-histogram.js';

const color = { name: 'color', values: ['red', 'blue'] } as const;
const size = { name: 'size', values: ['s', 'm', 'l'] } as const;
const shape = { name: 'shape', values: ['round', 'square'] } as const;

describe('LabelledCounter', () => {
  test('counts each combination of three labels apart, and shows all of them from the start', () => {
    const counter = new LabelledCounter('things_total', 'Things.', color, size, shape);
    expect([...counter.samples()]).toHaveLength(12);
    counter.add(2, 'blue', 'm', 'square');
    counter.add(3, 'red', 'l', 'round');
    counter.add(1, 'blue', 'm', 'square');
    expect([...counter.samples()].filter(({ value }) => value > 0)).toEqual([
      { labels: { color: 'red', size: 'l', shape: 'round' }, value: 3 },
      { labels: { color: 'blue', size: 'm', shape: 'square' }, value: 3 },
    ]);
  });

  test('a value outside its set makes no series', () => {
    const counter = new LabelledCounter<string>('things_total', 'Things.', color);
    counter.add(1, 'a name that a client chose');
    expect([...counter.samples()].map(({ value }) => value)).toEqual([0, 0]);
  });
});

describe('TimeHistogram', () => {
  test('TimeHistogram has cumulative buckets in seconds with inclusive bounds', async () => {
    const histogram = new TimeHistogram('wait_seconds', 'Waits.', [0.01, 0.1]);
    for (const ms of [10, 10.5, 5_000]) histogram.observe(ms);
    expect(await renderMetrics([histogram])).toBe(
      [
        '# HELP wait_seconds Waits.',
        '# TYPE wait_seconds histogram',
        'wait_seconds_bucket{le="0.01"} 1',
        'wait_seconds_bucket{le="0.1"} 2',
        'wait_seconds_bucket{le="+Inf"} 3',
        'wait_seconds_sum 5.0205',
        'wait_seconds_count 3',
        '',
      ].join('\n'),
    );
  });
});

test('a name with quotes, backslashes or line ends stays one label value', async () => {
  const named: Metric = {
    name: 'things',
    help: 'Things.',
    type: 'gauge',
    labels: [{ name: 'thing', valuesAre: 'a name', limit: 1 }],
    samples: () => [{ labels: { thing: 'a"b\\c\nd' }, value: 1 }],
  };
  expect(await renderMetrics([named])).toContain('\nthings{thing="a\\"b\\\\c\\nd"} 1\n');
});

describe('MetricsServer', () => {
  let server: MetricsServer;

  afterEach(async () => {
    await server.close();
  });

  test('answers GET /metrics and nothing else', async () => {
    server = await MetricsServer.listen(
      () => renderMetrics([single('gauge', 'answer', 'It.', () => 42)]),
      0,
      '127.0.0.1',
    );
    const response = await fetch(`http://127.0.0.1:${server.port}/metrics`);
    expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(await response.text()).toContain('\nanswer 42\n');
    expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${server.port}/metrics`, { method: 'POST' })).status).toBe(404);
  });

  test('a metric that cannot be read is an error of the scrape, not of the process', async () => {
    const broken = single('gauge', 'broken', 'It.', () => Promise.reject(new Error('away')));
    server = await MetricsServer.listen(() => renderMetrics([broken]), 0, '127.0.0.1');
    expect((await fetch(`http://127.0.0.1:${server.port}/metrics`)).status).toBe(500);
  });
});
