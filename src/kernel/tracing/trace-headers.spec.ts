import { describe, expect, it } from '@jest/globals';
import { contextOfHeaders, headersOfContext, validTraceHeaders } from './trace-headers.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const valid = `00-${TRACE}-${SPAN}-01`;

describe('a traceparent', () => {
  it.each([
    valid,
    `00-${TRACE}-${SPAN}-00`,
    `00-${TRACE}-${SPAN}-ff`,
    `cc-${TRACE}-${SPAN}-01`,
    `cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`,
  ])('a traceparent is taken as it is: %s', (traceparent) => {
    expect(validTraceHeaders(traceparent, undefined)).toEqual({ traceparent });
  });

  it.each([
    undefined,
    null,
    '',
    'x',
    `${valid}\r\nx-injected: 1`,
    `${valid}-more`,
    ` ${valid}`,
    `ff-${TRACE}-${SPAN}-01`,
    `0-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-0g`,
    `cc-${TRACE}-${SPAN}-01.x`,
    `cc-${TRACE}-${SPAN}-01-${'x'.repeat(150)}`,
    // Sent twice.
    `${valid}, ${valid}`,
  ])('a traceparent is ignored, and its tracestate: %j', (traceparent) => {
    expect(validTraceHeaders(traceparent, 'a=1')).toBeUndefined();
  });
});

describe('a tracestate', () => {
  it('a tracestate is passed on up to 512 characters', () => {
    const longest = `a=${'x'.repeat(510)}`;
    expect(validTraceHeaders(valid, longest)).toEqual({ traceparent: valid, tracestate: longest });
    expect(validTraceHeaders(valid, `${longest}x`)).toEqual({ traceparent: valid });
  });

  it.each(['', 'a=1\r\nx: 1', 'a=ä', 'a=\u0000'])(
    'a tracestate that cannot be a header again is ignored: %j',
    (tracestate) => {
      expect(validTraceHeaders(valid, tracestate)).toEqual({ traceparent: valid });
    },
  );
});

describe('the context of a trace', () => {
  it('the context of a trace is read from the headers and written as version 00, without flags that are not known', () => {
    const context = contextOfHeaders({ traceparent: `cc-${TRACE}-${SPAN}-ff-x`, tracestate: 'a=1' });
    expect(context).toEqual({ traceId: TRACE, spanId: SPAN, flags: 3, tracestate: 'a=1' });
    expect(headersOfContext(context)).toEqual({ traceparent: `00-${TRACE}-${SPAN}-03`, tracestate: 'a=1' });
  });
});
