import type { UsageReport } from '../../../link/messages.js';
import type { OutcomeReport } from '../request/outcome-report.js';

/** What the reports of the parts of a request come to together. */
export class PartReports {
  private usage: UsageReport | null = null;
  private last: OutcomeReport | null = null;
  private attempts = 0;
  private retried = false;
  private queuedMs = 0;

  add(report: OutcomeReport): void {
    if (report.usage !== null) this.addUsage(report.usage);
    this.attempts += report.attempts;
    this.retried ||= report.retried;
    this.queuedMs = Math.max(this.queuedMs, report.queuedMs);
    if (report.nodeId !== null || this.last === null) this.last = report;
  }

  addUsage({ input_tokens: input, output_tokens: output, source }: UsageReport): void {
    const { usage } = this;
    this.usage = {
      input_tokens: (usage?.input_tokens ?? 0) + input,
      output_tokens: (usage?.output_tokens ?? 0) + output,
      cached_tokens: null,
      reasoning_tokens: null,
      source: usage === null ? source : usage.source,
    };
  }

  /** null: no node has reported any. */
  get used(): UsageReport | null {
    return this.usage;
  }

  /** A node was asked. */
  get reachedNode(): boolean {
    return this.last?.nodeId != null;
  }

  /** The longest wait of a part, and the node that was asked last. */
  get course(): Pick<
    OutcomeReport,
    'selector' | 'modelName' | 'nodeId' | 'clusterId' | 'attempts' | 'retried' | 'queuedMs'
  > {
    const { last, attempts, retried, queuedMs } = this;
    return {
      selector: last?.selector ?? null,
      modelName: last?.modelName ?? null,
      nodeId: last?.nodeId ?? null,
      clusterId: last?.clusterId ?? null,
      attempts,
      retried,
      queuedMs,
    };
  }
}
