import type { Clock } from '../clock.js';
import { OtlpExporter, type ExporterLog } from './otlp-exporter.js';
import type { TraceSource } from './otlp-json.js';
import type { SpanCounts } from './span-metric.js';
import type { TraceSettings } from './trace-settings.js';
import { Tracer } from './tracer.js';

/** More than the drain limit, for the spans of what ran until it. */
const GRACE_MS = 1_000;

interface TraceExportOptions {
  readonly settings: TraceSettings;
  readonly source: TraceSource;
  readonly clock: Clock;
  readonly log: ExporterLog;
}

/** The tracer of a process with its exporter. */
export class TraceExport {
  readonly tracer: Tracer;

  private constructor(
    private readonly exporter: OtlpExporter,
    { clock, settings }: TraceExportOptions,
  ) {
    this.tracer = new Tracer({ sink: exporter, clock, samplePercent: settings.traceSamplePercent });
  }

  /** @returns undefined without the address of a collector: then nothing is recorded */
  static of(options: TraceExportOptions): TraceExport | undefined {
    const { otlpUrl, otlpHeaders, otlpTimeoutMs, otlpIntervalMs, traceQueueSpans } = options.settings;
    if (otlpUrl === undefined) return undefined;
    const exporter = new OtlpExporter({
      url: tracesUrl(otlpUrl),
      headers: Object.fromEntries((otlpHeaders ?? []).map(headerOf)),
      source: options.source,
      timeoutMs: otlpTimeoutMs,
      intervalMs: otlpIntervalMs,
      queueSpans: traceQueueSpans,
      log: options.log,
    });
    return new TraceExport(exporter, options);
  }

  get spans(): SpanCounts {
    return this.exporter.counts;
  }

  /** Exports what waits. @param drainUntilMs monotonic; absent: nothing was drained */
  async close(drainUntilMs = 0): Promise<void> {
    await this.exporter.close(Math.max(drainUntilMs, performance.now()) + GRACE_MS);
  }
}

function tracesUrl(base: string): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/v1\/traces$/, '')}/v1/traces`;
  return url;
}

function headerOf(entry: string): [string, string] {
  const at = entry.indexOf('=');
  return [entry.slice(0, at), entry.slice(at + 1)];
}
