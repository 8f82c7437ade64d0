import type { Dialect } from '../../kernel/dialect.js';
import type { ErrorCode } from '../../kernel/errors/error-catalogue.js';
import type { AccountId, ApiKeyId, ClusterId, ModelSelector, NodeId, RequestId } from '../../kernel/ids.js';
import type { UsageReport } from '../../link/messages.js';
import type { RequestOutcome } from '../platform/http/request-context.js';

/**
 * What metering needs to know of a request that is over. Routing knows more; nothing else of it is kept. No text of a prompt
 * (docs/reference/security.md#logs).
 */
export interface FinishedRequest {
  readonly requestId: RequestId;
  readonly accountId: AccountId;
  readonly keyPublicId: ApiKeyId;
  readonly dialect: Dialect;
  readonly stream: boolean;
  /** Of the node that was asked last; null when none was. What the client wrote is not kept: it could be anything. */
  readonly selector: ModelSelector | null;
  readonly modelName: string | null;
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
  /** The node was told to stop and has still to say what it had used by then: `confirmed` follows, or nothing within 10 s. */
  readonly usagePending: boolean;
}
