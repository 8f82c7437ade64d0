/** Traces as a client and a node see them, with and without a collector. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/clock/eventually.js';
import { InferenceApiHarness } from '../../../test/support/relay/inference-api.harness.js';
import { OtlpReceiver } from '../../../test/support/tracing/otlp-receiver.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const sampled = `00-${TRACE}-${SPAN}-01`;
const unsampled = `00-${TRACE}-${SPAN}-00`;

describe('the trace of a request', () => {
  let receiver: OtlpReceiver;
  let app: InferenceApiHarness;

  beforeEach(async () => {
    receiver = await OtlpReceiver.start();
  });
  afterEach(async () => {
    await app.close();
    await receiver.stop();
  });

  const start = async (env: Record<string, string> = {}): Promise<void> => {
    app = await InferenceApiHarness.start(env);
    app.addNode('a');
    app.play((stream) => {
      stream.ack().begin(2).data('{}').end();
    });
  };
  const exported = (): Record<string, string> => ({ FERRY_OTLP_URL: receiver.url, FERRY_OTLP_INTERVAL_MS: '50' });
  /** @returns what the node is told of the trace */
  const ask = async (headers: Record<string, string> = {}): Promise<unknown[]> => {
    const messages = [{ role: 'user', content: 'hi' }];
    const response = await app.post('/v1/chat/completions', { model: 'tiny', messages }, headers);
    expect(response.status).toBe(200);
    await response.text();
    const { traceparent, tracestate } = app.streams.at(-1)!.head;
    return [traceparent, tracestate];
  };
  /** A relay that stops exports what it has. */
  const expectNothingExported = async (): Promise<void> => {
    await app.close();
    expect(receiver.bodies).toEqual([]);
  };

  describe('without a collector', () => {
    beforeEach(() => start());

    it.each([
      [sampled, 'a=1,b=2'],
      [unsampled, undefined],
    ])(
      'the trace of a request without a collector is passed on to the node as it is: %s',
      async (traceparent, tracestate) => {
        expect(await ask({ traceparent, ...(tracestate && { tracestate }) })).toEqual([traceparent, tracestate]);
      },
    );

    it.each<[string, Record<string, string>]>([
      ['there is none', {}],
      ['its parent is invalid', { traceparent: `00-${TRACE}-${'0'.repeat(16)}-01`, tracestate: 'a=1' }],
      ['there is only a state', { tracestate: 'a=1' }],
    ])('the trace of a request without a collector is nothing where %s', async (_, headers) => {
      expect(await ask(headers)).toEqual([null, undefined]);
    });

    it('the trace of a request without a collector has a state of at most 512 characters', async () => {
      expect(await ask({ traceparent: sampled, tracestate: `a=${'x'.repeat(511)}` })).toEqual([sampled, undefined]);
    });
  });

  describe('with a collector', () => {
    it('goes on from the span of the client to one of the relay and one of the attempt, which the node continues', async () => {
      await start(exported());
      const [traceparent, tracestate] = await ask({ traceparent: sampled, tracestate: 'a=1' });
      const [attempt, server] = await receiver.trace(TRACE, 2);
      expect(server).toMatchObject({ kind: 'server', name: 'chat tiny', parentSpanId: SPAN, traceState: 'a=1' });
      expect(attempt).toMatchObject({ kind: 'client', name: 'chat tiny', parentSpanId: server!.spanId });
      expect([traceparent, tracestate]).toEqual([`00-${TRACE}-${attempt!.spanId}-01`, 'a=1']);
      expect(server!.service).toBe('ferry-relay');
    });

    it('begins here where the client sends none, or an invalid one', async () => {
      await start(exported());
      const sent = [await ask(), await ask({ traceparent: 'rubbish' })].map(([parent]) => String(parent));
      for (const parent of sent) {
        expect(parent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
        const [, server] = await receiver.trace(parent.split('-')[1]!, 2);
        expect(server).not.toHaveProperty('parentSpanId');
      }
    });

    it('the trace of a request with a collector is not recorded but passed on where the client does not record it', async () => {
      await start(exported());
      expect(await ask({ traceparent: unsampled, tracestate: 'a=1' })).toEqual([unsampled, 'a=1']);
      await expectNothingExported();
    });

    it('the trace of a request with a collector is not recorded beyond the configured share, and the node learns that', async () => {
      await start({ ...exported(), FERRY_TRACE_SAMPLE_PERCENT: '0' });
      const [traceparent] = await ask();
      expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
      await expectNothingExported();
    });

    it('the trace of a request with a collector is counted', async () => {
      await start(exported());
      await ask({ traceparent: sampled });
      await receiver.trace(TRACE, 2);
      await eventually('the spans are counted', () => app.traces.spans?.exported === 2);
      expect(app.traces.spans).toEqual({ exported: 2, dropped: 0 });
    });

    it('the trace of a request with a collector is exported at the latest when the relay stops', async () => {
      await start({ ...exported(), FERRY_OTLP_INTERVAL_MS: '600000' });
      await ask({ traceparent: sampled });
      await app.close();
      expect(receiver.of(TRACE)).toHaveLength(2);
    });
  });
});
