import { Injectable, Logger } from '@nestjs/common';
import type { RequestId } from '../../../kernel/ids.js';
import type { UsageReport } from '../../../link/messages.js';
import { processMeters } from '../../platform/metrics/relay-meters.js';
import { UsageRecorder } from '../../usage/usage-recorder.js';
import type { OutcomeReport, OutcomeSink } from './outcome-report.js';

/** Passes outcome reports to metering and metrics, and logs details that the line per request omits. */
@Injectable()
export class OutcomeRecorder implements OutcomeSink {
  private readonly logger = new Logger('Routing');

  constructor(private readonly usage: UsageRecorder) {}

  record(report: OutcomeReport): void {
    if (report.retried) this.logRetry(report);
    processMeters.inferenceOver(report);
    this.usage.record(report);
  }

  confirmed(requestId: RequestId, usage: UsageReport | null): void {
    processMeters.used(usage);
    this.usage.confirmed(requestId, usage);
  }

  /** A prompt may have run twice (docs/reference/request-lifecycle.md#at-most-once). */
  private logRetry({ hedged, requestId, nodeId, attempts, outcome }: OutcomeReport): void {
    const how = hedged ? 'retried=true hedged=true' : 'retried=true';
    this.logger.warn(`${how} req_id=${requestId} node=${nodeId ?? '-'} attempts=${attempts} outcome=${outcome}`);
  }
}
