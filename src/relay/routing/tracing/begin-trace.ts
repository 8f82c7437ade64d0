import type { IncomingHttpHeaders } from 'node:http';
import { Span } from '../../../kernel/tracing/span.js';
import { validTraceHeaders, type TraceHeaders } from '../../../kernel/tracing/trace-headers.js';
import type { Tracer } from '../../../kernel/tracing/tracer.js';
import type { RoutedTrace } from '../request/routed-request.js';
import { RequestSpans } from './request-spans.js';

/** A trace that is not recorded here: it is passed on as it is. */
class PassedOnTrace implements RoutedTrace {
  constructor(private readonly headers: TraceHeaders) {}

  headersFor(): TraceHeaders {
    return this.headers;
  }
}

/**
 * The trace of an inference request.
 * @param tracer absent: the relay records nothing
 * @param headers of the client
 * @param arrivedAtMs monotonic
 */
export function beginTrace(
  tracer: Tracer | undefined,
  headers: IncomingHttpHeaders,
  arrivedAtMs: number,
): RoutedTrace | undefined {
  const sent = validTraceHeaders(headers['traceparent'], headers['tracestate']);
  if (tracer === undefined) return sent && new PassedOnTrace(sent);
  const started = tracer.start(sent, { name: 'inference', kind: 'server', startedAtMs: arrivedAtMs });
  return started instanceof Span ? new RequestSpans(started) : new PassedOnTrace(started);
}
