import type { CandidateNote } from './candidate-sheet.js';
import type { AttemptNote, DecisionNote, RequestTrace } from './request-trace.js';

/** A routed request, as `/api` explains it. Times are ISO, durations and costs milliseconds. */
export interface RequestRecord {
  readonly id: string;
  readonly object: 'request';
  readonly model: string;
  readonly dialect: string;
  readonly decided_at: string;
  /** null: it is still under way. */
  readonly outcome: string | null;
  readonly queue: { readonly waited_ms: number; readonly position: number | null };
  readonly decisions: readonly DecisionRecord[];
  readonly attempts: readonly AttemptRecord[];
  readonly retried: boolean;
  readonly hedged: boolean;
}

interface DecisionRecord {
  readonly at: string;
  readonly candidates: readonly CandidateRecord[];
  readonly chosen: string | null;
  readonly reason: string;
}

interface CandidateRecord {
  readonly node_id: string;
  readonly node_name: string;
  readonly cluster_id: string;
  readonly eligible: boolean;
  readonly reason: string;
  /** Requests there, of how many at once, and how many its node says; null: nobody asked. */
  readonly slots: { readonly used: number; readonly usable: number; readonly advertised: number } | null;
  /** null: it was out of the question, so nobody asked. */
  readonly cost_ms: number | null;
  readonly parts: Readonly<Record<string, number>> | null;
}

interface AttemptRecord {
  readonly node_id: string;
  readonly node_name: string;
  readonly result: string;
  readonly reason: string | null;
  /** Asked while another node had the request, too. */
  readonly hedge: boolean;
  readonly at: string;
}

/** What a list tells of a request; the rest is under its id. */
export type RequestSummary = Omit<RequestRecord, 'decisions'>;

export function requestRecord(trace: RequestTrace): RequestRecord {
  const at = isoAt(trace);
  return { ...requestSummary(trace), decisions: trace.decisions.map((decision) => decisionRecord(decision, at)) };
}

export function requestSummary(trace: RequestTrace): RequestSummary {
  const { id, model, dialect, outcome, queuedMs, position, attempts } = trace;
  const at = isoAt(trace);
  // A second node that refused has run nothing.
  const hedged = attempts.some(({ hedge, result }) => hedge && result !== 'refused');
  return {
    id,
    object: 'request',
    model,
    dialect,
    decided_at: at(trace.decidedAtMs),
    outcome,
    queue: { waited_ms: Math.round(queuedMs), position },
    attempts: attempts.map((attempt) => attemptRecord(attempt, at)),
    // A refusal costs nothing and is no run: only a lost one makes the next a second.
    retried: hedged || attempts.slice(0, -1).some(({ result }) => result === 'lost'),
    hedged,
  };
}

type Iso = (monotonicMs: number) => string;

const isoAt =
  ({ decidedAtMs, decidedAtWallMs }: RequestTrace): Iso =>
  (monotonicMs) =>
    new Date(decidedAtWallMs + monotonicMs - decidedAtMs).toISOString();

const decisionRecord = ({ atMs, candidates, chosen, reason }: DecisionNote, at: Iso): DecisionRecord => ({
  at: at(atMs),
  candidates: candidates.read().map(candidateRecord),
  chosen,
  reason,
});

const candidateRecord = ({
  nodeId,
  nodeName,
  clusterId,
  reason,
  cost,
  parts,
  ...slots
}: CandidateNote): CandidateRecord => ({
  node_id: nodeId,
  node_name: nodeName,
  cluster_id: clusterId,
  eligible: reason === 'eligible' || reason === 'full',
  reason,
  slots: slots.slots === 0 ? null : { used: slots.busy, usable: slots.slots, advertised: slots.advertised },
  cost_ms: Number.isFinite(cost) ? Math.round(cost) : null,
  parts:
    parts === null
      ? null
      : {
          queue_ms: Math.round(parts.queueMs),
          prefill_ms: Math.round(parts.prefillMs),
          decode_ms: Math.round(parts.decodeMs),
          link_ms: Math.round(parts.linkMs),
          affinity_ms: Math.round(parts.affinityMs),
        },
});

const attemptRecord = ({ nodeId, nodeName, result, reason, hedge, atMs }: AttemptNote, at: Iso): AttemptRecord => ({
  node_id: nodeId,
  node_name: nodeName,
  result,
  reason,
  hedge,
  at: at(atMs),
});
