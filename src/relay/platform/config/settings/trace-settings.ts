/** Export of traces (docs/operate/monitoring.md#traces). */
import { traceSettingsOf } from '../../../../kernel/tracing/trace-settings.js';

export const traceSettings = traceSettingsOf({
  otlpUrl: 'FERRY_OTLP_URL',
  otlpHeaders: 'FERRY_OTLP_HEADERS',
  otlpTimeoutMs: 'FERRY_OTLP_TIMEOUT_MS',
  otlpIntervalMs: 'FERRY_OTLP_INTERVAL_MS',
  traceQueueSpans: 'FERRY_TRACE_QUEUE_SPANS',
  traceSamplePercent: 'FERRY_TRACE_SAMPLE_PERCENT',
});
