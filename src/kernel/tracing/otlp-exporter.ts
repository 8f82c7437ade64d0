import { exportRequest, type TraceSource } from './otlp-json.js';
import type { EndedSpan, SpanSink } from './span.js';
import type { SpanCounts } from './span-metric.js';

/** Spans of one export. */
const BATCH_SPANS = 512;

export interface OtlpExporterOptions {
  /** The address includes `/v1/traces`. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly source: TraceSource;
  /** Bounds one export. */
  readonly timeoutMs: number;
  /** Longest wait of a span for its export. */
  readonly intervalMs: number;
  /** Spans in memory, those of a running export included. More are dropped. */
  readonly queueSpans: number;
  readonly log: ExporterLog;
}

export interface ExporterLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

type Sent = 'accepted' | 'refused' | 'unavailable';

/** The collector asks to send it again later (OTLP specification, retryable status codes). */
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Sends spans to a collector, in batches and apart from the requests. While the collector is away the queue fills up, then spans are
 * dropped: this is logged once, and with their number when the collector is back.
 */
export class OtlpExporter implements SpanSink {
  private readonly queue: EndedSpan[] = [];
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<Sent> | undefined;
  private closed = false;
  /** The last export has failed: no hurry with the next. */
  private away = false;
  /** Logged: an export has failed, or the queue was full. Until exports succeed and the queue is half empty. */
  private failing = false;
  private droppedSpans = 0;
  private exportedSpans = 0;

  constructor(private readonly options: OtlpExporterOptions) {}

  get counts(): SpanCounts {
    return { exported: this.exportedSpans, dropped: this.droppedSpans };
  }

  /** Waiting for their export. */
  get queued(): number {
    return this.queue.length;
  }

  add(span: EndedSpan): void {
    if (this.closed) this.droppedSpans += 1;
    else if (this.queue.length >= this.options.queueSpans) {
      this.droppedSpans += 1;
      this.warn('there are more spans than the queue holds');
    } else {
      this.queue.push(span);
      this.schedule();
    }
  }

  /** Sends what is queued, at most until `deadlineMs` (monotonic). After it spans are dropped. Idempotent. */
  async close(deadlineMs: number): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.timer);
    let sent: Sent = 'accepted';
    if (this.sending !== undefined) sent = await within(this.sending, deadlineMs);
    while (this.queue.length > 0 && sent !== 'unavailable' && performance.now() < deadlineMs)
      sent = await this.send(deadlineMs);
    this.droppedSpans += this.queue.length;
    this.queue.length = 0;
    if (this.droppedSpans > 0) this.options.log.warn({ dropped_spans: this.droppedSpans }, 'spans were dropped');
  }

  /** A full batch need not wait, except for a collector that is away. */
  private schedule(): void {
    if (this.sending !== undefined) return;
    const isFull = this.queue.length >= BATCH_SPANS && !this.away;
    if (this.timer !== undefined && !isFull) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        void this.send(Infinity).then(() => {
          if (!this.closed && this.queue.length > 0) this.schedule();
        });
      },
      isFull ? 0 : this.options.intervalMs,
    ).unref();
  }

  /** Never rejects. */
  private async send(deadlineMs: number): Promise<Sent> {
    const batch = this.queue.slice(0, BATCH_SPANS);
    const sending = this.post(batch, Math.min(this.options.timeoutMs, deadlineMs - performance.now()));
    this.sending = sending;
    const sent = await sending;
    this.sending = undefined;
    this.away = sent === 'unavailable';
    if (this.away) return sent;
    this.queue.splice(0, batch.length);
    if (sent === 'refused') this.droppedSpans += batch.length;
    else this.accepted(batch.length);
    return sent;
  }

  private async post(batch: readonly EndedSpan[], timeoutMs: number): Promise<Sent> {
    const { url, headers, source } = this.options;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: exportRequest(source, batch),
        redirect: 'error',
        signal: AbortSignal.timeout(Math.max(0, Math.ceil(timeoutMs))),
      });
      await response.body?.cancel();
      if (response.ok) return 'accepted';
      this.warn(`the collector answers ${response.status}`);
      return retryable.has(response.status) ? 'unavailable' : 'refused';
    } catch (error) {
      this.warn(reasonOf(error));
      return 'unavailable';
    }
  }

  private warn(reason: string): void {
    if (this.failing) return;
    this.failing = true;
    this.options.log.warn({ collector: this.options.url.href, reason }, 'traces cannot be exported');
  }

  private accepted(spans: number): void {
    this.exportedSpans += spans;
    if (!this.failing || this.queue.length > this.options.queueSpans / 2) return;
    this.failing = false;
    this.options.log.info({ dropped_spans: this.droppedSpans }, 'traces are exported again');
  }
}

async function within(sending: Promise<Sent>, deadlineMs: number): Promise<Sent> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Sent>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, deadlineMs - performance.now()), 'unavailable');
  });
  try {
    return await Promise.race([sending, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** `fetch` rejects with errors only, and wraps that of the system. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  if (cause === undefined) return message;
  const system = cause as NodeJS.ErrnoException;
  // Where several addresses were tried there is no message.
  return system.message || (system.code ?? message);
}
