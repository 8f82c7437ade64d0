import { Injectable } from '@nestjs/common';
import type { RequestId } from '../../../kernel/ids.js';
import type { UsageReport } from '../../../link/messages.js';
import { UsageRecorder } from '../../usage/usage-recorder.js';
import { OutcomeLog } from './outcome-log.js';
import type { OutcomeReport, OutcomeSink } from './outcome-report.js';

/** All receivers of outcome reports: the log, metering, and registered ones. */
@Injectable()
export class OutcomeSinks implements OutcomeSink {
  private readonly sinks: OutcomeSink[];

  constructor(log: OutcomeLog, usage: UsageRecorder) {
    this.sinks = [log, usage];
  }

  /** Before requests come in. */
  add(sink: OutcomeSink): void {
    this.sinks.push(sink);
  }

  record(report: OutcomeReport): void {
    for (const sink of this.sinks) sink.record(report);
  }

  confirmed(requestId: RequestId, usage: UsageReport | null): void {
    for (const sink of this.sinks) sink.confirmed(requestId, usage);
  }
}
