import { describe, expect, test } from '@jest/globals';
import { renderMetrics } from '../../kernel/metrics/metric.js';
import type { EndMessage } from '../../link/messages.js';
import { MAX_ENGINES } from '../engines/engine-catalogue.js';
import { NodeMeters } from './node-meters.js';
import { nodeMetrics, type NodeMetricSources } from './node-metrics.js';

const completed: EndMessage = {
  outcome: 'completed',
  failure: null,
  usage: { input_tokens: 7, output_tokens: 5, cached_tokens: null, reasoning_tokens: null, source: 'engine' },
  timings: { first_event_ms: 30, total_ms: 400 },
  dropped: [],
};

/** A node with the engine `own`. */
const sources = (models: number): NodeMetricSources & { readonly meters: NodeMeters } => ({
  meters: new NodeMeters(() => ['own']),
  catalogue: {
    engines: [{ name: 'own', condition: { is: 'unreachable', problem: 'refuses the connection' } }],
    slots: () => [{ name: 'own', slots_total: 4, slots_used: 1 }],
    reports: Array.from({ length: models }, () => ({ engine: 'own', state: 'loaded' as const })),
  },
  connection: { links: 2, wantedLinks: 3, roundTripsMs: [40, 10, 20] },
  host: { report: () => ({ memory_free_bytes: 3_000, memory_total_bytes: 8_000 }) },
  process: { all: [] },
});

const linesOf = async (of: NodeMetricSources): Promise<string[]> =>
  (await renderMetrics(nodeMetrics(of))).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const seriesOf = async (of: NodeMetricSources): Promise<string[]> =>
  (await linesOf(of)).map((line) => line.slice(0, line.lastIndexOf(' ')));

describe('the metrics of a node', () => {
  test('the metrics of a node show engines, models and links as they are at the scrape', async () => {
    expect(await linesOf(sources(9))).toEqual(
      expect.arrayContaining([
        'ferry_node_links 2',
        'ferry_node_links_wanted 3',
        'ferry_node_link_round_trip_seconds{quantile="0.5"} 0.02',
        'ferry_node_link_round_trip_seconds{quantile="1"} 0.04',
        'ferry_node_engine_state{engine="own",state="answering"} 0',
        'ferry_node_engine_state{engine="own",state="unreachable"} 1',
        'ferry_node_slots{engine="own",state="free"} 3',
        'ferry_node_models{engine="own",state="loaded"} 9',
        'ferry_node_memory_bytes{state="used"} 5000',
        'ferry_node_memory_bytes{state="free"} 3000',
      ]),
    );
  });

  test('the metrics of a node show memory as 0 before it was read', async () => {
    const unread = { ...sources(0), host: { report: () => ({ memory_free_bytes: null }) } };
    expect((await linesOf(unread)).filter((line) => line.startsWith('ferry_node_memory_bytes'))).toEqual([
      'ferry_node_memory_bytes{state="used"} 0',
      'ferry_node_memory_bytes{state="free"} 0',
    ]);
  });

  test('the metrics of a node count requests by engine and outcome, with their tokens and times', async () => {
    const node = sources(1);
    node.meters.ended('own', completed);
    node.meters.ended('own', {
      ...completed,
      outcome: 'cancelled',
      usage: null,
      timings: { first_event_ms: null, total_ms: 2 },
    });
    node.meters.rejected('busy');
    expect(await linesOf(node)).toEqual(
      expect.arrayContaining([
        'ferry_node_requests_total{engine="own",outcome="completed"} 1',
        'ferry_node_requests_total{engine="own",outcome="cancelled"} 1',
        'ferry_node_tokens_total{engine="own",direction="input"} 7',
        'ferry_node_tokens_total{engine="own",direction="output"} 5',
        'ferry_node_rejections_total{reason="busy"} 1',
        'ferry_node_request_seconds_count 2',
        'ferry_node_time_to_first_output_seconds_count 1',
      ]),
    );
  });

  test('have the series of an engine before its first request, and none more for its requests, links and models', async () => {
    const busy = sources(10_000);
    busy.meters.ended('own', completed);
    busy.meters.linkOpened();
    busy.meters.linkFailed('lost');
    busy.meters.sent(100);
    expect(await seriesOf(busy)).toEqual(await seriesOf(sources(0)));
  });

  test('the metrics of a node count engines beyond the limit together, however many come and go', async () => {
    const node = sources(0);
    for (let at = 0; at < 1_000; at += 1) node.meters.ended(`engine-${at}`, completed);
    const counted = (await linesOf(node)).filter((line) => line.includes('outcome="completed"'));
    expect(counted).toHaveLength(MAX_ENGINES);
    const total = counted.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    expect(total).toBe(1_000);
    expect(counted).toContain(
      `ferry_node_requests_total{engine="other",outcome="completed"} ${1_000 - MAX_ENGINES + 1}`,
    );
  });
});
