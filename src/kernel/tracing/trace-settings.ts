/** Settings of the export of traces: the same for relay and node, each under its own names. */
import { z } from 'zod';
import { integer, setting, type SettingsOf, type SettingsTable } from '../settings/setting.js';

const MAX_HEADERS = 16;
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}=[ -~]{1,4000}$/;

const collectorUrl = z
  .url({ protocol: /^https?$/ })
  .refine((text) => new URL(text).username === '', 'credentials belong into the headers');

/** `Authorization=Bearer …,x-tenant=a` */
const headerList = z
  .string()
  .transform((text) => text.split(',').map((entry) => entry.trim()))
  .pipe(z.array(z.string().regex(HEADER, 'headers like `name=value` are needed, comma-separated')).max(MAX_HEADERS));

/** Variables, in full: they can be searched for. */
interface TraceVariables {
  readonly otlpUrl: string;
  readonly otlpHeaders: string;
  readonly otlpTimeoutMs: string;
  readonly otlpIntervalMs: string;
  readonly traceQueueSpans: string;
  readonly traceSamplePercent: string;
}

export const traceSettingsOf = (env: TraceVariables) =>
  ({
    otlpUrl: setting(
      env.otlpUrl,
      collectorUrl.optional(),
      undefined,
      'OpenTelemetry collector that gets traces, such as `http://127.0.0.1:4318`: OTLP over HTTP with JSON, at `/v1/traces` below this address. Not set: no traces are recorded.',
    ),
    otlpHeaders: setting(
      env.otlpHeaders,
      headerList.optional(),
      undefined,
      'Headers for the collector, such as `Authorization=Bearer …`, comma-separated.',
      { secret: true },
    ),
    otlpTimeoutMs: setting(env.otlpTimeoutMs, integer(100, 60_000), '5000', 'Limit for one export of traces.'),
    otlpIntervalMs: setting(
      env.otlpIntervalMs,
      integer(50, 600_000),
      '5000',
      'Time for which spans are batched before they are exported.',
    ),
    traceQueueSpans: setting(
      env.traceQueueSpans,
      integer(16, 1_000_000),
      '2048',
      'Spans in memory that wait for their export, up to about 2 KiB each. More are dropped, counted and named in the log.',
    ),
    traceSamplePercent: setting(
      env.traceSamplePercent,
      integer(0, 100),
      '100',
      'Share of the requests without a `traceparent` that are recorded. A request with one is recorded when its sender records it.',
    ),
  }) as const satisfies SettingsTable;

export type TraceSettings = SettingsOf<ReturnType<typeof traceSettingsOf>>;
