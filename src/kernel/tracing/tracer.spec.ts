import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import { seconds, Span, type EndedSpan } from './span.js';
import { Tracer } from './tracer.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const start = { name: 'chat tiny', kind: 'server' } as const;

describe('a tracer', () => {
  let clock: ManualClock;
  let ended: EndedSpan[];
  const tracer = (samplePercent = 100): Tracer =>
    new Tracer({ sink: { add: (span) => ended.push(span) }, clock, samplePercent });
  const recorded = (started: ReturnType<Tracer['start']>): Span => {
    if (!(started instanceof Span)) throw new Error('it is not recorded');
    return started;
  };

  beforeEach(() => {
    clock = new ManualClock();
    ended = [];
  });

  it('continues the trace of the caller, with its state', () => {
    const parent = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'a=1' };
    const span = recorded(tracer(0).start(parent, start));
    span.end();
    expect(ended).toMatchObject([{ context: { traceId: TRACE, flags: 1, tracestate: 'a=1' }, parentSpanId: PARENT }]);
    expect(span.headers).toEqual({ traceparent: `00-${TRACE}-${span.context.spanId}-01`, tracestate: 'a=1' });
    expect(span.context.spanId).not.toBe(PARENT);
  });

  it('records nothing where the caller does not, and passes its headers on', () => {
    const parent = { traceparent: `00-${TRACE}-${PARENT}-00`, tracestate: 'a=1' };
    expect(tracer().start(parent, start)).toBe(parent);
  });

  it('begins a trace where there is none', () => {
    const spans = [recorded(tracer().start(undefined, start)), recorded(tracer().start(undefined, start))];
    for (const span of spans) span.end();
    expect(new Set(ended.map(({ context }) => context.traceId)).size).toBe(2);
    expect(ended.map(({ parentSpanId }) => parentSpanId)).toEqual([null, null]);
  });

  it('records about the configured share of the traces that begin here, and tells others of its decision', () => {
    const half = tracer(50);
    const starts = Array.from({ length: 1_000 }, () => half.start(undefined, start));
    const share = starts.filter((started) => started instanceof Span).length / starts.length;
    expect(Math.abs(share - 0.5)).toBeLessThan(0.1);
    expect(tracer(0).start(undefined, start)).toMatchObject({
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/) as unknown,
    });
  });

  it('keeps children within their parents when the wall clock is set meanwhile', () => {
    const wall = clock.wallMs();
    const parent = recorded(tracer().start(undefined, start));
    clock.advance(10);
    const child = parent.child({ name: 'child', kind: 'client' });
    child.event('first');
    clock.wallMs = () => wall + 3_600_000;
    clock.advance(5.5);
    child.end();
    parent.set({ duration: seconds(1_500), left_out: undefined });
    parent.end();
    parent.end();
    expect(ended).toHaveLength(2);
    expect(ended).toMatchObject([
      { parentSpanId: parent.context.spanId, startMs: wall + 10, endMs: wall + 15.5, events: [{ atMs: wall + 10 }] },
      { startMs: wall, endMs: wall + 15.5, attributes: { duration: { decimal: 1.5 } } },
    ]);
  });

  it('bounds the events of a span', () => {
    const span = recorded(tracer().start(undefined, start));
    for (let at = 0; at < 100; at += 1) span.event('again');
    span.end();
    expect(ended[0]?.events).toHaveLength(32);
  });
});
