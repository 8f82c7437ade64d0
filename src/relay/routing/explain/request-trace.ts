/** What is kept of one request to explain it later: names, numbers and reasons, nothing of the prompt. */
import type { Dialect } from '../../../kernel/dialect.js';
import type { AccountId, ClusterId, NodeId, RequestId } from '../../../kernel/ids.js';
import type { RequestOutcome } from '../../platform/http/request-context.js';
import type { LeavingReason } from '../request/course-observer.js';
import type { CostParts } from '../prediction/cost-parts.js';
import type { CandidateReason, Considered } from '../selection/decision.js';

export interface CandidateNote {
  readonly nodeId: NodeId;
  readonly nodeName: string;
  readonly clusterId: ClusterId;
  readonly reason: CandidateReason;
  readonly busy: number;
  readonly slots: number;
  readonly advertised: number;
  readonly cost: number;
  readonly parts: CostParts | null;
}

export interface DecisionNote {
  /** Monotonic. */
  readonly atMs: number;
  readonly candidates: readonly CandidateNote[];
  readonly chosen: NodeId | null;
  /** `cheapest`, `all_full`, `all_tried`, or the code of the refusal. */
  readonly reason: string;
}

export interface AttemptNote {
  readonly nodeId: NodeId;
  readonly nodeName: string;
  readonly atMs: number;
  result: 'running' | LeavingReason | RequestOutcome;
  reason: string | null;
  /** The second of two at once. */
  readonly hedge: boolean;
}

export interface RequestTrace {
  readonly id: RequestId;
  readonly accountId: AccountId;
  readonly model: string;
  readonly dialect: Dialect;
  /** Unix milliseconds and the same moment on the monotonic clock: everything else is told relative to it. */
  readonly decidedAtWallMs: number;
  readonly decidedAtMs: number;
  readonly decisions: DecisionNote[];
  readonly attempts: AttemptNote[];
  outcome: RequestOutcome | null;
  queuedMs: number;
  position: number | null;
  /** What it takes of the memory set aside for explanations, about. */
  bytes: number;
}

/** Candidates of one decision that are kept: whoever has more nodes than that looks for the chosen one and its neighbours. */
const NOTED_CANDIDATES = 64;

export function candidateNotes(candidates: readonly Considered[], chosen: Considered | null): CandidateNote[] {
  const kept = candidates.length <= NOTED_CANDIDATES ? candidates : candidates.slice(0, NOTED_CANDIDATES);
  const notes = kept.map(note);
  if (chosen !== null && kept !== candidates && !kept.includes(chosen)) notes.push(note(chosen));
  return notes;
}

/** A copy of a few references: the node itself must not stay in memory because somebody may ask about a request of an hour ago. */
const note = ({ placement: { node }, reason, busy, slots, advertised, cost, parts }: Considered): CandidateNote => ({
  nodeId: node.nodeId,
  nodeName: node.name,
  clusterId: node.clusterId,
  reason,
  busy,
  slots,
  advertised,
  cost,
  parts,
});
