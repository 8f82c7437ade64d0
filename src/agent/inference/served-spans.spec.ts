import { describe, expect, it } from '@jest/globals';
import { chunk, set, settled, streamOf, type Run } from '../../../test/support/agent/inference.harness.js';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import type { EndedSpan } from '../../kernel/tracing/span.js';
import { Tracer } from '../../kernel/tracing/tracer.js';
import { EngineFailure } from '../engines/engine.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const sampled = `00-${TRACE}-${PARENT}-01`;
const unsampled = `00-${TRACE}-${PARENT}-00`;

const responses: Run = () =>
  streamOf([chunk({ content: 'a' }), chunk({}, 'stop', { usage: { prompt_tokens: 3, completion_tokens: 1 } })]);

const traced = (run: Run = responses, engine: { inProcess?: true } = {}) => {
  const spans: EndedSpan[] = [];
  const sink = { add: (span: EndedSpan) => spans.push(span) };
  const node = set(run, { ...engine, tracer: new Tracer({ sink, clock: new ManualClock(), samplePercent: 100 }) });
  return { spans, ...node };
};

describe('a node that records nothing', () => {
  it.each([sampled, unsampled])('passes the trace on to the engine as it is: %s', async (traceparent) => {
    const { ended, calls } = set(responses);
    await ended({ traceparent, tracestate: 'a=1' });
    expect(calls[0]?.trace).toEqual({ traceparent, tracestate: 'a=1' });
  });

  it.each([null, 'rubbish', `${sampled}\r\nx-injected: 1`])('sends no header for %j', async (traceparent) => {
    const { ended, calls } = set(responses);
    await ended({ traceparent, tracestate: 'a=1' });
    expect(calls).toHaveLength(1);
    expect(calls[0]).not.toHaveProperty('trace');
  });
});

describe('a node that records', () => {
  it('a node that records has a span for the relay’s request and one for the call of the engine, which gets that one as its parent', async () => {
    const { spans, calls, ended } = traced();
    await ended({ traceparent: sampled, tracestate: 'a=1' });
    const [call, server] = spans;
    expect(server).toMatchObject({ kind: 'server', name: 'chat public', parentSpanId: PARENT, failed: false });
    expect(call).toMatchObject({ kind: 'client', name: 'chat public', parentSpanId: server!.context.spanId });
    expect(calls[0]?.trace).toEqual({ traceparent: `00-${TRACE}-${call!.context.spanId}-01`, tracestate: 'a=1' });
    for (const { attributes } of spans) {
      expect(attributes).toEqual({
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'vllm',
        'gen_ai.request.model': 'public',
        'gen_ai.request.stream': true,
        'gen_ai.response.model': 'Model',
        'gen_ai.response.time_to_first_chunk': { decimal: 0 },
        'gen_ai.usage.input_tokens': 3,
        'gen_ai.usage.output_tokens': 1,
        'gen_ai.usage.cache_read.input_tokens': undefined,
        'gen_ai.usage.reasoning.output_tokens': undefined,
        'ferry.dialect': 'chat',
        'ferry.request.id': 'req_1',
        'ferry.engine.name': 'fake@127.0.0.1',
        'ferry.outcome': 'completed',
      });
    }
  });

  it.each([0, 1_000])(
    'shows when a whole answer has come, in a frame of up to %d bytes or in pieces',
    async (bytes) => {
      const object = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } };
      const { spans, open } = traced(() => ({ kind: 'whole', object }));
      const { stream } = open({ stream: false, traceparent: sampled });
      stream.wholeLimit = bytes;
      await settled(() => stream.ended !== undefined);
      const events = [{ name: 'ferry.first_output' }];
      expect(spans).toMatchObject([{ events }, { events, attributes: { 'gen_ai.usage.output_tokens': 1 } }]);
      for (const { attributes } of spans) expect(attributes).not.toHaveProperty('gen_ai.response.time_to_first_chunk');
    },
  );

  it('shows the call of an engine in its own process as internal', async () => {
    const { spans, ended } = traced(responses, { inProcess: true });
    await ended({ traceparent: sampled });
    expect(spans.map(({ kind }) => kind)).toEqual(['internal', 'server']);
  });

  it('records nothing of a trace that is not sampled, and passes it on', async () => {
    const { spans, calls, ended } = traced();
    await ended({ traceparent: unsampled });
    expect(spans).toEqual([]);
    expect(calls[0]?.trace).toEqual({ traceparent: unsampled });
  });

  it('begins a trace where the relay sends none, or an invalid one', async () => {
    const { spans, ended } = traced();
    await ended();
    await ended({ traceparent: 'rubbish' });
    expect(spans.filter(({ parentSpanId }) => parentSpanId === null)).toHaveLength(2);
  });

  it('shows a failure with its code, and nothing of its message', async () => {
    const { spans, ended } = traced(() => {
      throw new EngineFailure({
        code: 'engine_error',
        status: 500,
        message: 'cannot read "the secret prompt" of /home/me/model.gguf',
        param: null,
        retry_after_seconds: null,
      });
    });
    await ended({ traceparent: sampled });
    const failure = { failed: true, attributes: { 'error.type': 'engine_error', 'ferry.outcome': 'failed' } };
    expect(spans).toMatchObject([failure, failure]);
    expect(JSON.stringify(spans)).not.toMatch(/secret|gguf/);
  });

  it('ends the spans of a request that is reset before its body is complete', () => {
    const { spans, open } = traced();
    const { stream, handler } = open({ traceparent: sampled }, null);
    stream.reset(handler);
    expect(spans).toMatchObject([{ kind: 'server', failed: false, attributes: { 'ferry.outcome': 'cancelled' } }]);
  });
});
