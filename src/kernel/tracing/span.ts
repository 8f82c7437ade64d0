import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.js';
import { headersOfContext, type SpanContext, type TraceHeaders } from './trace-headers.js';

/** A number that is a decimal one also when it happens to be whole: the type of an attribute must not change between spans. */
export interface Decimal {
  readonly decimal: number;
}

/** Other numbers are whole. */
export type AttributeValue = string | number | boolean | Decimal;
/** Undefined ones are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** `server`: serves a call of another process · `client`: calls one · `internal`: neither */
export type SpanKind = 'server' | 'client' | 'internal';

export interface SpanEvent {
  readonly name: string;
  /** Counts from the Unix epoch. */
  readonly atMs: number;
  readonly attributes: Attributes;
}

/** A span that has ended. Times are milliseconds since the Unix epoch, with fractions. */
export interface EndedSpan {
  readonly context: SpanContext;
  /** null: it begins its trace. */
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly failed: boolean;
}

/** Takes spans that have ended. Must not throw. */
export interface SpanSink {
  add(span: EndedSpan): void;
}

export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  /** Monotonic. Absent: now. */
  readonly startedAtMs?: number;
}

interface Recording {
  readonly clock: Clock;
  readonly sink: SpanSink;
  /** Converts monotonic to wall time. All spans of a request share it, so that a child never seems to outlive its parent. */
  readonly wallOffsetMs: number;
}

const SPAN_ID_BYTES = 8;
/** A request has a few. */
const MAX_EVENTS = 32;

export const createSpanId = (): string => randomBytes(SPAN_ID_BYTES).toString('hex');
export const seconds = (ms: number): Decimal => ({ decimal: ms / 1_000 });

/** An operation that is being recorded. Exists only in traces that are sampled. */
export class Span {
  private readonly startedAtMs: number;
  private readonly events: SpanEvent[] = [];
  private attributes: Attributes = {};
  private failed = false;
  private ended = false;

  constructor(
    readonly context: SpanContext,
    private readonly parentSpanId: string | null,
    private readonly start: SpanStart,
    private readonly recording: Recording,
  ) {
    this.startedAtMs = start.startedAtMs ?? recording.clock.monotonicMs();
  }

  /** Send these headers with the calls of this operation. */
  get headers(): TraceHeaders {
    return headersOfContext(this.context);
  }

  /** Since its start. */
  get elapsedMs(): number {
    return this.recording.clock.monotonicMs() - this.startedAtMs;
  }

  child(start: SpanStart): Span {
    const { spanId } = this.context;
    return new Span({ ...this.context, spanId: createSpanId() }, spanId, start, this.recording);
  }

  set(attributes: Attributes): void {
    this.attributes = { ...this.attributes, ...attributes };
  }

  /** Beyond {@link MAX_EVENTS} they are left out. */
  event(name: string, attributes: Attributes = {}): void {
    if (this.events.length < MAX_EVENTS) this.events.push({ name, atMs: this.nowMs(), attributes });
  }

  /** The operation did not succeed. @param type its class, such as an error code; never a message, which may quote a request */
  fail(type: string): void {
    this.failed = true;
    this.set({ 'error.type': type });
  }

  /** Idempotent: the first call counts. */
  end(name: string = this.start.name): void {
    if (this.ended) return;
    this.ended = true;
    const { context, parentSpanId, events, attributes, failed } = this;
    this.recording.sink.add({
      context,
      parentSpanId,
      name,
      kind: this.start.kind,
      startMs: this.startedAtMs + this.recording.wallOffsetMs,
      endMs: this.nowMs(),
      attributes,
      events,
      failed,
    });
  }

  private nowMs(): number {
    return this.recording.clock.monotonicMs() + this.recording.wallOffsetMs;
  }
}
