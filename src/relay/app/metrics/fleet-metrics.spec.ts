import { describe, expect, test } from '@jest/globals';
import { renderMetrics } from '../../../kernel/metrics/metric.js';
import { FleetMetrics, type CountedNode } from './fleet-metrics.js';

const nodeNumber = (at: number): CountedNode => ({
  acceptsWork: at % 10 !== 0,
  roundTripMs: at % 100,
  status: {
    engines: [{ name: `engine-${at}`, slots_total: 4, slots_used: 1, queue_depth: 0 }],
    paused: false,
    draining: false,
    memory_free_bytes: null,
  },
  models: new Map([[`model-${at}`, { state: 'loaded' }]]),
});

const scrapeOf = (nodes: readonly CountedNode[]): Promise<string> =>
  renderMetrics(new FleetMetrics(() => nodes, { monotonicMs: () => 0 }).all);

describe('the metrics of 10,000 nodes', () => {
  test('the metrics of 10,000 nodes have as many series as those of none, and no name of a node, engine or model', async () => {
    const text = await scrapeOf(Array.from({ length: 10_000 }, (_, at) => nodeNumber(at)));
    const none = await scrapeOf([]);
    const seriesOf = (scrape: string): string[] => scrape.split('\n').map((line) => line.replace(/ [^ ]+$/, ''));
    expect(seriesOf(text)).toEqual(seriesOf(none));
    expect(text).not.toMatch(/engine-|model-/);
    expect(text).toContain('ferry_nodes{state="accepting"} 9000');
    expect(text).toContain('ferry_nodes{state="not_accepting"} 1000');
    expect(text).toContain('ferry_slots{state="free"} 30000');
    expect(text).toContain('ferry_models{state="loaded"} 10000');
    expect(text).toContain('ferry_link_round_trip_seconds{quantile="0.5"} 0.05');
    expect(text).toContain('ferry_link_round_trip_seconds{quantile="1"} 0.099');
  });
});
