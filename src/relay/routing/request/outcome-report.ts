import type { Dialect } from '../../../kernel/dialect.js';
import type { ErrorCode } from '../../../kernel/errors/error-catalogue.js';
import type { AccountId, ApiKeyId, ClusterId, NodeId, RequestId } from '../../../kernel/ids.js';
import type { UsageReport } from '../../../link/messages.js';
import type { RequestOutcome } from '../../platform/http/request-context.js';
import type { AnswerProgress } from './answer-progress.js';
import type { Failover } from './failover.js';
import type { InferenceOrder } from './inference-order.js';
import type { Ending } from './outcome.js';
import type { RequestTimeline } from './request-timeline.js';

/** For metering, logs and metrics. No bodies, no text of a prompt (reliability §2.11). */
export interface OutcomeReport {
  readonly requestId: RequestId;
  readonly accountId: AccountId;
  readonly keyPublicId: ApiKeyId;
  readonly dialect: Dialect;
  readonly stream: boolean;
  /** As the client named it. */
  readonly model: string;
  readonly outcome: RequestOutcome;
  readonly code: ErrorCode | null;
  /** The last one that was asked. */
  readonly nodeId: NodeId | null;
  readonly clusterId: ClusterId | null;
  /** Nodes that were asked, refusals included. */
  readonly attempts: number;
  /** A second node was asked after one that may have run the prompt. */
  readonly retried: boolean;
  readonly queuedMs: number;
  /** null: the client saw no event. */
  readonly firstEventMs: number | null;
  readonly totalMs: number;
  readonly answerBytes: number;
  /** null: the node did not get to it. */
  readonly usage: UsageReport | null;
}

/** Hears of every request once, when it is over. Must not throw. */
export interface OutcomeSink {
  record(report: OutcomeReport): void;
}

interface Course {
  readonly failover: Failover;
  readonly timeline: RequestTimeline;
  readonly progress: AnswerProgress;
}

export const reportOf = (
  { context, accountId, keyPublicId, question, stream }: InferenceOrder,
  { outcome, error, usage }: Ending,
  { failover, timeline, progress }: Course,
): OutcomeReport => ({
  requestId: context.requestId,
  accountId,
  keyPublicId,
  dialect: question.dialect,
  model: question.model,
  stream,
  outcome,
  code: error?.code ?? null,
  nodeId: failover.last?.node.nodeId ?? null,
  clusterId: failover.last?.node.clusterId ?? null,
  attempts: failover.attempts,
  retried: failover.retried,
  queuedMs: timeline.queuedMs,
  firstEventMs: timeline.firstEventMs,
  totalMs: timeline.totalMs,
  answerBytes: progress.receivedBytes,
  usage,
});
