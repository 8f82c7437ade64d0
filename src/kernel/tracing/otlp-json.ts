/** The JSON of OTLP/HTTP for traces (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). */
import type { Attributes, AttributeValue, EndedSpan, SpanKind } from './span.js';

export interface TraceSource {
  /** `service.name` and others: the process that has recorded the spans. */
  readonly resource: Attributes;
  readonly scope: { readonly name: string; readonly version: string };
}

const kinds: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 };
const STATUS_ERROR = 2;
/** Names of models are the client's: a span has a bounded size. */
const MAX_TEXT_CHARACTERS = 256;
const MICROSECONDS_PER_MILLISECOND = 1_000;
const NANOSECONDS_PER_MICROSECOND = 1_000n;

/** The body of one export. */
export const exportRequest = ({ resource, scope }: TraceSource, spans: readonly EndedSpan[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: keyValues(resource) },
        scopeSpans: [{ scope, spans: spans.map(spanJson) }],
      },
    ],
  });

const spanJson = (span: EndedSpan): object => ({
  traceId: span.context.traceId,
  spanId: span.context.spanId,
  ...(span.context.tracestate !== undefined && { traceState: span.context.tracestate }),
  ...(span.parentSpanId !== null && { parentSpanId: span.parentSpanId }),
  flags: span.context.flags,
  name: clipped(span.name),
  kind: kinds[span.kind],
  startTimeUnixNano: nanoseconds(span.startMs),
  endTimeUnixNano: nanoseconds(span.endMs),
  attributes: keyValues(span.attributes),
  events: span.events.map(({ name, atMs, attributes }) => ({
    timeUnixNano: nanoseconds(atMs),
    name,
    attributes: keyValues(attributes),
  })),
  status: span.failed ? { code: STATUS_ERROR } : {},
});

const keyValues = (attributes: Attributes): object[] =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: anyValue(value) }]));

function anyValue(value: AttributeValue): object {
  switch (typeof value) {
    case 'string':
      return { stringValue: clipped(value) };
    case 'boolean':
      return { boolValue: value };
    case 'number':
      // 64-bit integers are texts in the JSON of protobuf.
      return { intValue: String(value) };
    default:
      return { doubleValue: value.decimal };
  }
}

/** Without the first half of a character that was cut. */
const clipped = (text: string): string =>
  text.length <= MAX_TEXT_CHARACTERS ? text : text.slice(0, MAX_TEXT_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');

const nanoseconds = (ms: number): string =>
  String(BigInt(Math.round(ms * MICROSECONDS_PER_MILLISECOND)) * NANOSECONDS_PER_MICROSECOND);
