import { Injectable, Logger } from '@nestjs/common';
import type { OutcomeReport, OutcomeSink } from './outcome-report.js';

/** Logs that a prompt may have run twice, which the line per request does not say (docs/reference/request-lifecycle.md#at-most-once). */
@Injectable()
export class OutcomeLog implements OutcomeSink {
  private readonly logger = new Logger('Routing');

  record({ retried, hedged, requestId, nodeId, attempts, outcome }: OutcomeReport): void {
    if (!retried) return;
    const how = hedged ? 'retried=true hedged=true' : 'retried=true';
    this.logger.warn(`${how} req_id=${requestId} node=${nodeId ?? '-'} attempts=${attempts} outcome=${outcome}`);
  }

  /** Only metering asks for that. */
  confirmed(): void {
    return;
  }
}
