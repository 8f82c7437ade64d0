/** The record of one request for explanations: names, numbers and reasons, nothing of the prompt. */
import type { Dialect } from '../../../kernel/dialect.js';
import type { AccountId, NodeId, RequestId } from '../../../kernel/ids.js';
import type { RequestOutcome } from '../../platform/http/request-context.js';
import type { LeavingReason } from '../request/request-lifecycle-listener.js';
import type { RecordedCandidates } from './candidate-table.js';

export interface DecisionNote {
  /** Monotonic. */
  readonly atMs: number;
  readonly candidates: RecordedCandidates;
  /** Placements that were compared; more than the candidates kept where they were many. */
  readonly considered: number;
  /** Placements in scope; more than were considered where a sample was compared. */
  readonly placements: number;
  readonly chosen: NodeId | null;
  /** `cheapest`, `least_bad` (only suspect ones were left), `hedge`, `all_full`, `all_tried`, or the code of the refusal. */
  readonly reason: string;
}

export interface AttemptNote {
  readonly nodeId: NodeId;
  readonly nodeName: string;
  readonly atMs: number;
  result: 'running' | LeavingReason | RequestOutcome;
  reason: string | null;
  /** A hedge. */
  readonly hedge: boolean;
}

export interface RequestTrace {
  readonly id: RequestId;
  readonly accountId: AccountId;
  readonly model: string;
  readonly dialect: Dialect;
  /** Unix milliseconds and the same moment on the monotonic clock; other times are relative to it. */
  readonly decidedAtWallMs: number;
  readonly decidedAtMs: number;
  readonly decisions: DecisionNote[];
  readonly attempts: AttemptNote[];
  outcome: RequestOutcome | null;
  queuedMs: number;
  position: number | null;
  /** Approximate bytes of the explanation budget. */
  bytes: number;
}
