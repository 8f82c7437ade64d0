import { describe, expect, test } from '@jest/globals';
import { InferenceHarness, type InferenceHarnessOptions } from '../../../../test/support/relay/inference.harness.js';
import type { HarnessClient } from '../../../../test/support/relay/harness-client.js';
import type { EndedSpan } from '../../../kernel/tracing/span.js';
import { Tracer } from '../../../kernel/tracing/tracer.js';
import { beginTrace } from './begin-trace.js';

interface Traced {
  readonly harness: InferenceHarness;
  readonly ended: EndedSpan[];
  send(fields?: object): HarnessClient;
}

function traced(options: InferenceHarnessOptions = {}): Traced {
  const harness = new InferenceHarness({ ...options, traced: true });
  const ended: EndedSpan[] = [];
  const sink = { add: (span: EndedSpan) => ended.push(span) };
  const tracer = new Tracer({ sink, clock: harness.clock, samplePercent: 100 });
  return {
    harness,
    ended,
    send: (fields) => harness.send(fields, {}, { trace: beginTrace(tracer, {}, harness.clock.monotonicMs()) }),
  };
}

/** Without what all have in common. */
const summary = ({ kind, failed, attributes }: EndedSpan): unknown[] => [
  kind,
  attributes['ferry.node.id'],
  attributes['ferry.outcome'],
  failed ? attributes['error.type'] : null,
];
/** Each attempt has a span of its own, whose id the node has got. */
function expectAttemptsOfOneRequest({ harness, ended }: Traced): void {
  const server = ended.at(-1)!;
  const attempts = ended.slice(0, -1);
  expect(server.parentSpanId).toBeNull();
  expect(new Set(attempts.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([server.context.spanId]));
  const sent = harness.streams.map(({ head }) => head.traceparent).sort();
  const { traceId } = server.context;
  expect(sent).toEqual(attempts.map(({ context }) => `00-${traceId}-${context.spanId}-01`).sort());
}

describe('the spans of a request', () => {
  test('the spans of a request have its model, tokens, times and outcome', () => {
    const request = traced();
    const { harness, ended } = request;
    request.send();
    harness.clock.advance(100);
    harness.last.ack();
    harness.clock.advance(150);
    harness.last.begin().data('x');
    harness.clock.advance(250);
    harness.last.handler.onEnd({
      outcome: 'completed',
      failure: null,
      usage: { input_tokens: 7, output_tokens: 2, cached_tokens: 4, reasoning_tokens: null, source: 'engine' },
      timings: { first_event_ms: 150, total_ms: 400 },
      dropped: [],
    });
    expectAttemptsOfOneRequest(request);
    const [attempt, server] = ended;
    const common = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'ferry',
      'gen_ai.request.model': 'tiny',
      'gen_ai.request.stream': true,
      'gen_ai.response.model': 'tiny',
      'gen_ai.response.time_to_first_chunk': { decimal: 0.25 },
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 2,
      'gen_ai.usage.cache_read.input_tokens': 4,
      'gen_ai.usage.reasoning.output_tokens': undefined,
      'ferry.dialect': 'chat',
      'ferry.request.id': harness.last.head.request_id,
      'ferry.outcome': 'completed',
    };
    expect(server!.attributes).toEqual({
      ...common,
      'ferry.account.id': harness.last.head.scope,
      'ferry.attempts': 1,
      'ferry.queue.duration': { decimal: 0 },
    });
    expect(attempt!.attributes).toEqual({
      ...common,
      'ferry.node.id': 'nd_a',
      'ferry.attempt': 1,
      'ferry.hedge': false,
    });
    expect(ended.map(({ failed }) => failed)).toEqual([false, false]);
    expect(ended.map(({ endMs, startMs }) => endMs - startMs)).toEqual([500, 500]);
    expect(ended.map(({ events }) => events.map(({ name, atMs }) => [name, atMs - server!.startMs]))).toEqual([
      [['ferry.first_output', 250]],
      [['ferry.first_output', 250]],
    ]);
  });

  test('the spans of a request show a refusal and a lost node, each with its reason, and the node that has answered', () => {
    const request = traced({ nodes: { a: {}, b: {}, c: {} } });
    const { harness, ended } = request;
    request.send();
    harness.last.reject('not_loaded');
    harness.last.ack().lose();
    harness.completeLast();
    expect(ended.map(summary)).toEqual([
      ['client', 'nd_a', 'refused', 'not_loaded'],
      ['client', 'nd_b', 'lost', 'node_disconnected'],
      ['client', 'nd_c', 'completed', null],
      ['server', undefined, 'completed', null],
    ]);
    expect(ended.at(-1)!.attributes).toMatchObject({ 'ferry.attempts': 3 });
    expectAttemptsOfOneRequest(request);
  });

  test('the spans of a request show the wait for a slot', () => {
    const request = traced({ nodes: { a: { slots: 1 } } });
    const { harness, ended } = request;
    request.send();
    request.send();
    harness.pass(2_000);
    harness.completeLast();
    harness.completeLast();
    const { attributes, events } = ended.at(-1)!;
    expect(events.map(({ name, attributes: of }) => [name, of])).toEqual([
      ['ferry.queued', { 'ferry.queue.position': 1 }],
      ['ferry.first_output', {}],
    ]);
    const { decimal } = attributes['ferry.queue.duration'] as { decimal: number };
    expect(decimal).toBeGreaterThanOrEqual(2);
  });

  test('the spans of a request show a hedge beside the first attempt, and who was first', () => {
    const request = traced({ hedging: { percent: 100, lateInMs: 1_000 } });
    const { harness, ended } = request;
    request.send();
    harness.streams[0]!.ack();
    harness.pass(1_000);
    harness.streams[1]!.ack().begin().data('b').end();
    expect(ended.map(summary)).toEqual([
      ['client', 'nd_a', 'overtaken', null],
      ['client', 'nd_b', 'completed', null],
      ['server', undefined, 'completed', null],
    ]);
    expect(ended[1]!.attributes).toMatchObject({ 'ferry.hedge': true });
    expectAttemptsOfOneRequest(request);
  });

  test('the spans of a failed request are failed, with the code and nothing of the message', () => {
    const request = traced();
    request.send();
    request.harness.last.ack().end('failed', { code: 'engine_error', message: 'cannot read "the secret prompt"' });
    // The second node.
    request.harness.last.ack().end('failed', { code: 'engine_error', message: 'cannot read "the secret prompt"' });
    expect(request.ended.at(-1)).toMatchObject({ failed: true, attributes: { 'error.type': 'engine_error' } });
    expect(JSON.stringify(request.ended)).not.toContain('secret');
  });

  test('the spans of a malformed request are not failed, but have its error code', () => {
    const request = traced();
    request.send({ model: 'unknown' });
    expect(request.ended).toMatchObject([
      {
        kind: 'server',
        name: 'chat unknown',
        failed: false,
        attributes: { 'ferry.outcome': 'rejected', 'error.type': 'model_not_found' },
      },
    ]);
  });

  test('the spans of a request end at once when its client leaves, and are not failed', () => {
    const request = traced();
    const client = request.send();
    request.harness.last.ack().begin().data('x');
    client.leave();
    expect(request.ended.map(summary)).toEqual([
      ['client', 'nd_a', 'cancelled', null],
      ['server', undefined, 'cancelled', null],
    ]);
  });
});
