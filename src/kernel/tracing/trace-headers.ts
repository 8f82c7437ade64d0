/** W3C Trace Context (https://www.w3.org/TR/trace-context-2/): the headers `traceparent` and `tracestate`. */

/** Headers of a request that is part of a trace. Both are valid. */
export interface TraceHeaders {
  readonly traceparent: string;
  /** Data of tracing systems, passed on as it is. */
  readonly tracestate?: string;
}

/** A place in a trace: the span that is the parent of what follows. */
export interface SpanContext {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** 16 lower-case hex digits. */
  readonly spanId: string;
  /** The bits {@link SAMPLED} and {@link RANDOM}; others are not passed on. */
  readonly flags: number;
  readonly tracestate?: string;
}

/** The parent is recorded. */
export const SAMPLED = 0b01;
/** The trace id is random in its last 7 bytes. */
const RANDOM = 0b10;

/** 55 in version 00; a later version may append fields. */
export const MAX_TRACEPARENT_CHARACTERS = 200;
/** The recommendation asks to pass on at least this many. */
export const MAX_TRACESTATE_CHARACTERS = 512;

const IDS = '(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}';
const TRACEPARENT = new RegExp(`^(?:00-${IDS}|(?!00|ff)[0-9a-f]{2}-${IDS}(?:-[!-~]*)?)$`);
/** Printable ASCII: it becomes a header again. */
const TRACESTATE = /^[ -~]+$/;

/**
 * The trace headers of a request, from a peer that is not trusted. An invalid `traceparent` is ignored, together with its `tracestate`; a
 * `tracestate` that is invalid or too long is ignored alone.
 */
export function validTraceHeaders(traceparent: unknown, tracestate: unknown): TraceHeaders | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > MAX_TRACEPARENT_CHARACTERS) return undefined;
  if (!TRACEPARENT.test(traceparent)) return undefined;
  if (typeof tracestate !== 'string' || tracestate.length > MAX_TRACESTATE_CHARACTERS) return { traceparent };
  return TRACESTATE.test(tracestate) ? { traceparent, tracestate } : { traceparent };
}

export function contextOfHeaders({ traceparent, tracestate }: TraceHeaders): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return {
    traceId,
    spanId,
    flags: Number.parseInt(flags, 16) & (SAMPLED | RANDOM),
    ...(tracestate !== undefined && { tracestate }),
  };
}

export const headersOfContext = ({ traceId, spanId, flags, tracestate }: SpanContext): TraceHeaders => ({
  traceparent: `00-${traceId}-${spanId}-0${flags.toString(16)}`,
  ...(tracestate !== undefined && { tracestate }),
});
