import type { RequestId } from '../../../kernel/ids.js';
import type { UsageReport } from '../../../link/messages.js';
import type { FinishedRequest } from '../../usage/finished-request.js';
import type { Failover } from './failover.js';
import type { RoutedRequest } from './routed-request.js';
import type { RequestEnd } from './outcome.js';
import type { RequestTimeline } from './request-timeline.js';

/** Metering, logs and metrics read it. */
export interface OutcomeReport extends FinishedRequest {
  /** A second node was asked while the first was silent; then it is `retried`, too. */
  readonly hedged: boolean;
}

/** Receives the report of every finished request once, and the usage of a stopped one. Must not throw. */
export interface OutcomeSink {
  record(report: OutcomeReport): void;
  /** After a `record` with `usagePending`, at most once. */
  confirmed(requestId: RequestId, usage: UsageReport | null): void;
}

interface Course {
  readonly failover: Failover;
  readonly timeline: RequestTimeline;
  readonly responseBytes: number;
}

export const reportOf = (
  { context, accountId, keyPublicId, query, stream }: RoutedRequest,
  { outcome, error, usage }: RequestEnd,
  { failover, timeline, responseBytes }: Course,
  usagePending: boolean,
): OutcomeReport => ({
  requestId: context.requestId,
  accountId,
  keyPublicId,
  dialect: query.dialect,
  model: query.model,
  selector: failover.last?.report.selector ?? null,
  modelName: failover.last?.report.display_name ?? null,
  stream,
  outcome,
  code: error?.code ?? null,
  message: error?.message ?? null,
  nodeId: failover.last?.node.nodeId ?? null,
  clusterId: failover.last?.node.clusterId ?? null,
  attempts: failover.attempts,
  retried: failover.retried,
  hedged: failover.hedged,
  queuedMs: timeline.queuedMs,
  firstEventMs: timeline.firstEventMs,
  totalMs: timeline.totalMs,
  responseBytes,
  usage,
  usagePending,
});
