import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.js';
import { createSpanId, Span, type SpanSink, type SpanStart } from './span.js';
import { contextOfHeaders, headersOfContext, SAMPLED, type SpanContext, type TraceHeaders } from './trace-headers.js';

const TRACE_ID_BYTES = 16;
/** Digits of the trace id, which is random, that decide whether it is sampled. */
const SAMPLE_DIGITS = 8;
const SAMPLE_VALUES = 16 ** SAMPLE_DIGITS;
const PERCENT = 100;

export interface TracerOptions {
  readonly sink: SpanSink;
  readonly clock: Clock;
  /** Applies to traces that begin here. A request that is part of a trace already is recorded when its parent is. */
  readonly samplePercent: number;
}

/** Begins the part of a trace that this process records. */
export class Tracer {
  constructor(private readonly options: TracerOptions) {}

  /**
   * @param parent what the request came with
   * @returns the headers to pass on where the trace is not sampled: whoever is called then records nothing either
   */
  start(parent: TraceHeaders | undefined, start: SpanStart): Span | TraceHeaders {
    const { clock, sink } = this.options;
    const before = parent === undefined ? this.newTrace() : contextOfHeaders(parent);
    if ((before.flags & SAMPLED) === 0) return parent ?? headersOfContext(before);
    const wallOffsetMs = clock.wallMs() - clock.monotonicMs();
    const context = { ...before, spanId: createSpanId() };
    return new Span(context, parent === undefined ? null : before.spanId, start, { clock, sink, wallOffsetMs });
  }

  private newTrace(): SpanContext {
    const traceId = randomBytes(TRACE_ID_BYTES).toString('hex');
    const share = Number.parseInt(traceId.slice(-SAMPLE_DIGITS), 16) / SAMPLE_VALUES;
    return { traceId, spanId: createSpanId(), flags: share * PERCENT < this.options.samplePercent ? SAMPLED : 0 };
  }
}
