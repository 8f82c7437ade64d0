import type { Dialect } from '../../kernel/dialect.js';
import type { ErrorCode } from '../../kernel/errors/error-catalogue.js';
import type { AccountId, ApiKeyId, ClusterId, ModelSelector, NodeId, RequestId } from '../../kernel/ids.js';
import type { UsageReport } from '../../link/messages.js';
import type { RequestOutcome } from '../platform/http/request-context.js';

/**
 * The metadata of a finished request that metering keeps. No text of a prompt
 * (docs/reference/security.md#logs).
 */
export interface FinishedRequest {
  readonly requestId: RequestId;
  readonly accountId: AccountId;
  readonly keyPublicId: ApiKeyId;
  readonly dialect: Dialect;
  readonly stream: boolean;
  /** The name that the client sent, which may be any text. */
  readonly model: string;
  /** As the last node names it; null when none was asked. */
  readonly selector: ModelSelector | null;
  readonly modelName: string | null;
  readonly outcome: RequestOutcome;
  readonly code: ErrorCode | null;
  /** The message of the error for the client. */
  readonly message: string | null;
  /** The last node that was asked. */
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
  readonly responseBytes: number;
  /** null: the node reported none. */
  readonly usage: UsageReport | null;
  /** The request was cancelled at the node, whose final usage is pending: `confirmed` follows, or nothing. */
  readonly usagePending: boolean;
}
