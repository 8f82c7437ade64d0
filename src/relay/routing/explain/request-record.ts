import { ApiProperty } from 'nest-swagger';
import type { CandidateNote } from './candidate-table.js';
import type { AttemptNote, DecisionNote, RequestTrace } from './request-trace.js';
import type { LoggedRequest } from '../../usage/request-log.store.js';

export class RequestQueueRecord {
  @ApiProperty({ type: 'number' })
  readonly waited_ms: number;
  @ApiProperty({ type: 'integer', nullable: true })
  readonly position: number | null;
}

export class AttemptRecord {
  @ApiProperty()
  readonly node_id: string;
  @ApiProperty({ example: 'desk' })
  readonly node_name: string;
  @ApiProperty({
    description:
      '`running`, `refused`, `lost`, `overtaken` (another attempt responded first), `stopped`, or the outcome.',
    example: 'completed',
  })
  readonly result: string;
  @ApiProperty({ type: 'string', nullable: true })
  readonly reason: string | null;
  @ApiProperty({ description: 'Whether this is a hedge: a second attempt beside a late one.' })
  readonly hedge: boolean;
  @ApiProperty({ type: 'string', format: 'date-time', description: 'Start of the attempt.' })
  readonly at: string;
}

export class CandidateSlotsRecord {
  @ApiProperty({ type: 'integer', example: 1 })
  readonly used: number;
  @ApiProperty({
    type: 'integer',
    description: 'The reported slots, or fewer if the engine was observed to run fewer requests concurrently.',
    example: 3,
  })
  readonly usable: number;
  @ApiProperty({ type: 'integer', description: 'As reported by the node.', example: 4 })
  readonly advertised: number;
}

/** The parts of the predicted cost. */
export class CostPartsRecord {
  @ApiProperty({ type: 'integer' })
  readonly queue_ms: number;
  @ApiProperty({ type: 'integer', example: 300 })
  readonly prefill_ms: number;
  @ApiProperty({ type: 'integer', example: 588 })
  readonly decode_ms: number;
  @ApiProperty({ type: 'integer', example: 12 })
  readonly link_ms: number;
  @ApiProperty({ type: 'integer' })
  readonly affinity_ms: number;
}

export class CandidateRecord {
  @ApiProperty()
  readonly node_id: string;
  @ApiProperty({ example: 'desk' })
  readonly node_name: string;
  @ApiProperty()
  readonly cluster_id: string;
  @ApiProperty()
  readonly eligible: boolean;
  @ApiProperty({ example: 'eligible' })
  readonly reason: string;
  @ApiProperty({ type: () => CandidateSlotsRecord, nullable: true })
  readonly slots: CandidateSlotsRecord | null;
  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'Predicted time to completion; null if not computed.',
    example: 900,
  })
  readonly cost_ms: number | null;
  @ApiProperty({ type: () => CostPartsRecord, nullable: true, description: 'Components of the cost.' })
  readonly parts: CostPartsRecord | null;
}

export class DecisionRecord {
  @ApiProperty({ type: 'string', format: 'date-time', description: 'Time of the decision.' })
  readonly at: string;
  @ApiProperty({ type: () => [CandidateRecord] })
  readonly candidates: readonly CandidateRecord[];
  @ApiProperty({
    type: 'integer',
    description: 'Number of candidates that were compared. Only the first 64 and the chosen one are listed.',
    example: 40,
  })
  readonly considered: number;
  @ApiProperty({
    type: 'integer',
    description: 'Number of nodes with the model in scope, counted per engine. Of more than 64 a sample is compared.',
    example: 1_000,
  })
  readonly placements: number;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Id of the chosen node.',
    example: 'nd_2b4d6f80a1c3e5f7092b4d6f80a1c3e5',
  })
  readonly chosen: string | null;
  @ApiProperty({ example: 'only' })
  readonly reason: string;
}

/** A routed request in a list of `/api`. Times in ISO 8601, durations and costs in milliseconds. */
export class RequestSummary {
  @ApiProperty({ description: 'Value of `x-request-id`.', example: 'req_5b1f0c9e7a3d4f6889e2c4b7d0a1f352' })
  readonly id: string;
  @ApiProperty({ enum: ['request'] })
  readonly object: 'request';
  @ApiProperty({ example: 'Qwen3 8B' })
  readonly model: string;
  @ApiProperty({ example: 'chat' })
  readonly dialect: string;
  @ApiProperty({ type: 'string', format: 'date-time', description: 'Time of the first decision.' })
  readonly decided_at: string;
  @ApiProperty({ type: 'string', nullable: true, description: 'null while it is running.', example: 'completed' })
  readonly outcome: string | null;
  @ApiProperty({ type: () => RequestQueueRecord })
  readonly queue: RequestQueueRecord;
  @ApiProperty({ type: () => [AttemptRecord] })
  readonly attempts: readonly AttemptRecord[];
  @ApiProperty({ description: 'Whether the prompt may have run twice, because of a lost attempt or a hedge.' })
  readonly retried: boolean;
  @ApiProperty({ description: 'Whether a second attempt was started beside a late one.' })
  readonly hedged: boolean;
}

/** A routed request with every decision. */
export class ExplainedRequestRecord extends RequestSummary {
  @ApiProperty({ type: () => [DecisionRecord] })
  readonly decisions: readonly DecisionRecord[];
  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'What is missing, as text, if the request was refused before it was routed, or if the replica that routed it has ended or forgotten it: the rest is from the request log. null if nothing is missing.',
  })
  readonly missing: string | null;
}

export function requestRecord(trace: RequestTrace): ExplainedRequestRecord {
  const at = isoAt(trace);
  const decisions = trace.decisions.map((decision) => decisionRecord(decision, at));
  return { ...requestSummary(trace), decisions, missing: null };
}

/** Shows a request that was not routed, or whose replica has ended or forgotten it, from the request log. */
export function loggedRequestRecord(logged: LoggedRequest): ExplainedRequestRecord {
  const { id, model, model_name: name, dialect, started_at: startedAt, outcome, retried } = logged;
  return {
    id,
    object: 'request',
    model: name ?? model ?? '',
    dialect,
    decided_at: startedAt.toISOString(),
    outcome,
    queue: { waited_ms: logged.queue_ms, position: null },
    attempts: [],
    retried,
    hedged: false,
    decisions: [],
    missing: missingPart(logged),
  };
}

function missingPart({ code, attempts, node_name: node }: LoggedRequest): string {
  // The limits of keys, accounts and bodies are checked first.
  if (code === 'rate_limit_exceeded' && attempts === 0)
    return 'There are no decisions and attempts: the request was refused by a limit before it was routed.';
  const ran = node === null ? '' : ` The request log says that it ran on the node ${node}.`;
  return `The decisions and attempts are unknown: the relay process that routed this request has ended or has forgotten it.${ran}`;
}

export function requestSummary(trace: RequestTrace): RequestSummary {
  const { id, model, dialect, outcome, queuedMs, position, attempts } = trace;
  const at = isoAt(trace);
  // A node that rejected the request did not run it.
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
    // A rejected attempt did not run, so only an attempt after a lost one counts as a second run.
    retried: hedged || attempts.slice(0, -1).some(({ result }) => result === 'lost'),
    hedged,
  };
}

type Iso = (monotonicMs: number) => string;

const isoAt =
  ({ decidedAtMs, decidedAtWallMs }: RequestTrace): Iso =>
  (monotonicMs) =>
    new Date(decidedAtWallMs + monotonicMs - decidedAtMs).toISOString();

const decisionRecord = (
  { atMs, candidates, considered, placements, chosen, reason }: DecisionNote,
  at: Iso,
): DecisionRecord => ({
  at: at(atMs),
  candidates: candidates.read().map(candidateRecord),
  considered,
  placements,
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
