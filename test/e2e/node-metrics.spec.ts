/** A scrape of a real node with the built-in engine after a streamed request, and after one of its engines was lost. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { documentedNodeMetrics } from '../../scripts/metrics-table.js';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { MetricsPage, valueOf } from '../support/process/metrics-page.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';

describe('GET /metrics of a node', () => {
  let relay: Tenant;
  let other: FakeEngine;
  let node: TestNode;
  let page: MetricsPage;

  shareRelay((shared) => (relay = shared));

  beforeAll(async () => {
    other = await FakeEngine.start();
    node = await TestNode.start(relay, {
      engines: [
        { kind: 'llamacpp', name: 'built-in' },
        { kind: 'openai-compatible', name: 'remote', base_url: other.url, slots: 2, poll_ms: 200 },
      ],
      env: { FERRY_NODE_METRICS_PORT: '0' },
    });
    await eventually(
      'the models of both engines are loaded',
      async () => (await node.status()).models.filter(({ state }) => state === 'loaded').length === 2,
      30_000,
    );
    page = await MetricsPage.of(node.process);
  }, 90_000);

  afterAll(async () => {
    await node.stop();
    await other.stop();
  }, 30_000);

  it('GET /metrics of a node has every documented metric', async () => {
    const text = await page.scrape();
    for (const { name, type } of documentedNodeMetrics()) expect(text).toContain(`# TYPE ${name} ${type}\n`);
  });

  it('counts a streamed request with its tokens, and shows nothing of the request', async () => {
    const before = await page.scrape();
    const messages = [{ role: 'user', content: 'the prompt is in no metric' }];
    const streamed = await relay.chat({ model: 'tiny', stream: true, max_tokens: 8, messages });
    const response = await streamed.text();
    expect(response).toContain('[DONE]');
    const text = await eventually('the request is counted', async () => {
      const now = await page.scrape();
      return valueOf(now, 'ferry_node_request_seconds_count') === 1 ? now : undefined;
    });
    expect(valueOf(text, 'ferry_node_requests_total{engine="built-in",outcome="completed"}')).toBe(1);
    expect(valueOf(text, 'ferry_node_requests_total{engine="remote",outcome="completed"}')).toBe(0);
    expect(valueOf(text, 'ferry_node_time_to_first_output_seconds_count')).toBe(1);
    expect(valueOf(text, 'ferry_node_tokens_total{engine="built-in",direction="input"}')).toBeGreaterThan(0);
    expect(valueOf(text, 'ferry_node_tokens_total{engine="built-in",direction="output"}')).toBeGreaterThan(0);
    expect(valueOf(text, 'ferry_node_models{engine="built-in",state="loaded"}')).toBe(1);
    expect(valueOf(text, 'ferry_node_slots{engine="remote",state="free"}')).toBe(2);
    expect(valueOf(text, 'ferry_node_links')).toBe(1);
    expect(valueOf(text, 'ferry_node_links_opened_total')).toBe(1);
    for (const direction of ['to_node', 'to_relay']) {
      const series = `ferry_node_link_bytes_total{direction="${direction}"}`;
      expect(valueOf(text, series)).toBeGreaterThan(valueOf(before, series));
    }
    expect(text).not.toMatch(/in no metric|tiny|fake|req_/);
    const seriesOf = (scrape: string): string[] => scrape.split('\n').map((line) => line.replace(/ [^ ]+$/, ''));
    expect(seriesOf(text)).toEqual(seriesOf(before));
  });

  it('shows that an engine was lost', async () => {
    await other.stop();
    await eventually('the engine counts as unreachable', async () => {
      const now = await page.scrape();
      const is = (state: string): number => valueOf(now, `ferry_node_engine_state{engine="remote",state="${state}"}`);
      return is('unreachable') === 1 && is('answering') === 0 ? now : undefined;
    });
  });
});
