// Own relay: its counters begin at zero.
/** A scrape of a real relay after a streamed request, a JSON request and refused ones. */
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { documentedMetrics } from '../../scripts/metrics-table.js';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { MetricsPage, valueOf } from '../support/process/metrics-page.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

describe('GET /metrics', () => {
  let relay: TestRelay;
  let engine: FakeEngine;
  let node: TestNode;
  let page: MetricsPage;

  beforeAll(async () => {
    relay = await TestRelay.start({ env: { FERRY_METRICS_PORT: '0' } });
    engine = await FakeEngine.start();
    node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 2 }] });
    page = await MetricsPage.of(relay.process);
  }, 60_000);

  afterAll(async () => {
    await node.stop();
    await relay.stop();
    await engine.stop();
  }, 30_000);

  it('GET /metrics has every documented metric, on a port of its own only', async () => {
    const text = await page.scrape();
    for (const { name, type } of documentedMetrics()) expect(text).toContain(`# TYPE ${name} ${type}\n`);
    expect((await fetch(`${relay.baseUrl}/metrics`)).status).toBe(404);
  });

  it('counts requests, tokens, first events and gaps', async () => {
    // The second chunk is sent once the first was read: together they would be one message, with no gap.
    const read = new EventEmitter();
    engine.respond = async (call) => {
      call.startStream();
      call.chunk({ content: ' first' });
      await once(read, 'first');
      call.chunk({ content: ' second' });
      call.finish();
    };
    const messages = [{ role: 'user', content: 'the prompt is in no metric' }];
    const streamed = await relay.chat({ model: 'fake', stream: true, messages });
    for await (const bytes of streamed.body ?? []) read.emit('first', bytes);
    const refused = await relay.chat({ model: 'no-such-model', messages });
    await refused.text();
    // The node reports its free slot after the end of the stream.
    const text = await eventually('the end of the stream is counted and its slot free', async () => {
      const now = await page.scrape();
      const isCounted = valueOf(now, 'ferry_time_to_first_token_seconds_count') === 1;
      return isCounted && valueOf(now, 'ferry_slots{state="free"}') === 2 ? now : undefined;
    });
    const requests = (status: string, outcome: string): number =>
      valueOf(text, `ferry_requests_total{dialect="chat",status_class="${status}",outcome="${outcome}"}`);
    expect(requests('2xx', 'completed')).toBe(1);
    expect(requests('4xx', 'rejected')).toBe(1);
    expect(valueOf(text, 'ferry_inter_event_seconds_count')).toBeGreaterThan(0);
    expect(valueOf(text, 'ferry_open_streams')).toBe(0);
    expect(valueOf(text, 'ferry_nodes{state="accepting"}')).toBe(1);
    expect(valueOf(text, 'ferry_link_bytes_total{direction="to_node"}')).toBeGreaterThan(0);
    expect(valueOf(text, 'ferry_database_queries_total{result="ok"}')).toBeGreaterThan(0);
    expect(text).not.toMatch(/no-such-model|in no metric|fake/);
  });
});
