// Own relay: its settings name a collector of traces.
/** Traces from the client through relay and node to the engine, at a collector of this test. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';
import { OtlpReceiver, type ReceivedSpan } from '../support/tracing/otlp-receiver.js';

const PROMPT = 'the prompt of the person is in no trace';
const RESPONSE = 'the answer of the engine is in no trace';

/** A client with a span of its own. */
class TracingClient {
  readonly traceId = randomBytes(16).toString('hex');
  readonly spanId = randomBytes(8).toString('hex');

  constructor(
    private readonly relay: TestRelay,
    private readonly flags: '00' | '01' = '01',
  ) {}

  get headers(): Record<string, string> {
    return { traceparent: `00-${this.traceId}-${this.spanId}-${this.flags}`, tracestate: 'vendor=of-the-client' };
  }

  async ask(model: string, stream: boolean): Promise<void> {
    const messages = [{ role: 'user', content: PROMPT }];
    const response = await this.relay.chat({ model, stream, messages }, { headers: this.headers });
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.stringContaining(RESPONSE)]);
  }
}

async function response(call: FakeCall): Promise<void> {
  if (!call.streaming) {
    call.completion(RESPONSE);
    return;
  }
  call.startStream();
  call.chunk({ role: 'assistant', content: '' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  call.chunk({ content: RESPONSE });
  call.chunk({}, 'stop');
  call.event({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 } });
  call.event('[DONE]');
  call.end();
}

describe('traces', () => {
  let receiver: OtlpReceiver;
  let relay: TestRelay;
  let engine: FakeEngine;
  let node: TestNode;

  const startNode = (at: FakeEngine, intervalMs: number): Promise<TestNode> =>
    TestNode.start(relay, {
      engines: [{ kind: 'openai-compatible', base_url: at.url, slots: 4 }],
      env: { FERRY_NODE_OTLP_URL: receiver.url, FERRY_NODE_OTLP_INTERVAL_MS: String(intervalMs) },
    });
  const traceparentOf = (call: FakeCall | undefined): unknown => call?.headers['traceparent'];

  beforeAll(async () => {
    receiver = await OtlpReceiver.start();
    relay = await TestRelay.start({ env: { FERRY_OTLP_URL: receiver.url, FERRY_OTLP_INTERVAL_MS: '100' } });
    engine = await FakeEngine.start();
    engine.respond = response;
    node = await startNode(engine, 100);
  }, 60_000);

  afterAll(async () => {
    await node.stop();
    await relay.stop();
    await engine.stop();
    await receiver.stop();
  }, 30_000);

  describe('of a streamed request', () => {
    let client: TracingClient;
    let spans: ReceivedSpan[];
    const spanOf = (service: string, kind: string): ReceivedSpan =>
      spans.find((span) => span.service === service && span.kind === kind)!;

    beforeAll(async () => {
      client = new TracingClient(relay);
      await client.ask('fake', true);
      spans = await receiver.trace(client.traceId, 4);
    });

    it('lead from the client through relay and node to the engine, each span within its parent', () => {
      const chain = [
        spanOf('ferry-relay', 'server'),
        spanOf('ferry-relay', 'client'),
        spanOf('ferry-node', 'server'),
        spanOf('ferry-node', 'client'),
      ];
      expect(spans).toHaveLength(4);
      expect(chain.map(({ name }) => name)).toEqual(Array(4).fill('chat fake'));
      expect(chain.map(({ parentSpanId }) => parentSpanId)).toEqual([
        client.spanId,
        ...chain.slice(0, 3).map(({ spanId }) => spanId),
      ]);
      expect(new Set(chain.map(({ spanId }) => spanId)).size).toBe(4);
      expect(chain.map(({ traceState }) => traceState)).toEqual(Array(4).fill('vendor=of-the-client'));
      // Relay and node are on one computer here. Its wall clock has milliseconds.
      for (const [at, child] of chain.slice(1).entries()) {
        const parent = chain[at]!;
        expect(child.startTimeUnixNano).toBeGreaterThanOrEqual(parent.startTimeUnixNano - 2_000_000n);
        expect(child.endTimeUnixNano).toBeLessThanOrEqual(parent.endTimeUnixNano + 2_000_000n);
        expect(child.endTimeUnixNano - child.startTimeUnixNano).toBeGreaterThanOrEqual(50_000_000n);
      }
      expect(engine.calls.at(-1)?.headers).toMatchObject({
        traceparent: `00-${client.traceId}-${chain[3]!.spanId}-01`,
        tracestate: 'vendor=of-the-client',
      });
    });

    it('traces of a streamed request have the model, tokens, times and outcome', async () => {
      const nodeId = await node.id();
      for (const span of spans) {
        expect(span.status).toEqual({});
        expect(span.attributes).toMatchObject({
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'fake',
          'gen_ai.request.stream': true,
          'gen_ai.response.model': 'fake',
          'gen_ai.usage.input_tokens': 12,
          'gen_ai.usage.output_tokens': 8,
          'ferry.request.id': expect.stringMatching(/^req_[0-9a-f]{32}$/) as unknown,
          'ferry.outcome': 'completed',
        });
        const first = span.attributes['gen_ai.response.time_to_first_chunk'] as { decimal: number };
        expect(first.decimal).toBeGreaterThan(0.04);
        expect(first.decimal).toBeLessThan(10);
        expect(span.events).toMatchObject([{ name: 'ferry.first_output' }]);
      }
      expect(new Set(spans.map(({ attributes }) => attributes['ferry.request.id'])).size).toBe(1);
      expect(spanOf('ferry-relay', 'server').attributes).toMatchObject({
        'gen_ai.provider.name': 'ferry',
        'ferry.account.id': relay.credentials.account_id,
        'ferry.attempts': 1,
      });
      expect(spanOf('ferry-relay', 'client').attributes).toMatchObject({ 'ferry.node.id': nodeId });
      expect(spanOf('ferry-node', 'client').attributes).toMatchObject({
        'gen_ai.provider.name': 'openai-compatible',
        'ferry.engine.name': expect.stringContaining('127.0.0.1') as unknown,
      });
    });

    it('contain nothing of prompt and answer, no key, and no path of the engine', () => {
      const sent = receiver.bodies.join('\n');
      expect(sent).toContain(client.traceId);
      for (const secret of [PROMPT, RESPONSE, relay.apiKey, relay.credentials.cli_token, '/secret/path', '.gguf'])
        expect(sent).not.toContain(secret);
    });
  });

  it('traces of a request that is not sampled are passed on to the engine, and not recorded', async () => {
    const client = new TracingClient(relay, '00');
    await client.ask('fake', false);
    expect(engine.calls.at(-1)?.headers).toMatchObject(client.headers);
    // Spans that ended later have arrived.
    const later = new TracingClient(relay);
    await later.ask('fake', false);
    await receiver.trace(later.traceId, 4);
    expect(receiver.of(client.traceId)).toEqual([]);
  });

  it('traces begin at the relay when the traceparent of the client is invalid', async () => {
    const messages = [{ role: 'user', content: PROMPT }];
    const headers = { traceparent: `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`, tracestate: 'a=1' };
    await (await relay.chat({ model: 'fake', messages }, { headers })).text();
    const sent = String(traceparentOf(engine.calls.at(-1)));
    expect(sent).toMatch(/^00-(?!0{32})[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    const spans = await receiver.trace(sent.split('-')[1]!, 4);
    expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined)).toMatchObject([{ service: 'ferry-relay' }]);
  });

  it('traces do not delay requests while the collector is away, which is logged once, and arrive when it is back', async () => {
    const { port } = receiver;
    await receiver.stop();
    const client = new TracingClient(relay);
    const fromMs = performance.now();
    for (let asked = 0; asked < 10; asked += 1) await client.ask('fake', false);
    expect(performance.now() - fromMs).toBeLessThan(5_000);
    const failuresOf = ({ stderr }: { stderr: string }): number => stderr.split('traces cannot be exported').length - 1;
    for (const { process } of [relay, node]) await eventually('the loss is logged', () => failuresOf(process) === 1);
    // Several intervals.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect([relay.process, node.process].map(failuresOf)).toEqual([1, 1]);
    receiver = await OtlpReceiver.start(port);
    expect(await receiver.trace(client.traceId, 40)).toHaveLength(40);
    for (const { process } of [relay, node])
      await eventually('it is logged', () => process.stderr.includes('traces are exported again'));
  });

  it('traces that wait for their export arrive when the node stops', async () => {
    const other = await FakeEngine.start({ models: ['other'] });
    other.respond = response;
    const second = await startNode(other, 600_000);
    const client = new TracingClient(relay);
    await client.ask('other', true);
    await receiver.trace(client.traceId, 2);
    expect(receiver.of(client.traceId).map(({ service }) => service)).toEqual(['ferry-relay', 'ferry-relay']);
    await second.stop();
    await other.stop();
    expect(await receiver.trace(client.traceId, 4)).toHaveLength(4);
  }, 60_000);
});
