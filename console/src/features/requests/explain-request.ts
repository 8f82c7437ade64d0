/** The explanation of a request in words and figures, as pure functions of what the relay tells. */
import type { Schemas } from '../../api/management-api.types';
import { codeWords, duration } from '../../components/format';
import type { LoggedRequest } from '../../components/logged-request';

export type ExplainedRequest = Schemas['ExplainedRequest'];
export type Candidate = Schemas['Candidate'];

/** Why a candidate was not the one; the words of `ferry explain`. */
const reasons: Readonly<Record<string, string>> = {
  eligible: 'slower',
  full: 'all its slots are in use',
  excluded: 'it had refused or lost this request',
  avoided: 'it failed recently',
  context_too_short: 'the prompt does not fit into its context',
  not_loaded: 'the model is not loaded there',
  lacks_capability: 'it cannot do what the request needs',
  paused: 'paused',
  draining: 'it is shutting down',
  suspect: 'its last requests failed',
  not_accepting: 'it takes no work now',
  engine_unreachable: 'its engine does not answer',
};

export const reasonText = (reason: string): string => reasons[reason] ?? codeWords(reason);

/** The decision that counts: the last one that chose a computer, else the last. */
export const decisionOf = ({ decisions }: ExplainedRequest): ExplainedRequest['decisions'][number] | undefined =>
  decisions.findLast(({ chosen, reason }) => chosen !== null && reason !== 'hedge') ??
  decisions.findLast(({ chosen }) => chosen !== null) ??
  decisions.at(-1);

/** The chosen one first, then those that could have served it, the cheapest first. */
export function rankedCandidates(candidates: readonly Candidate[], chosen: string | null): readonly Candidate[] {
  const rank = ({ node_id, cost_ms }: Candidate): number =>
    node_id === chosen ? -1 : (cost_ms ?? Number.MAX_SAFE_INTEGER);
  return candidates.toSorted((one, other) => rank(one) - rank(other));
}

/** One sentence that says where the request went and why. */
export function sentenceOf(request: ExplainedRequest): string {
  if (request.missing !== null) return request.missing;
  const decision = decisionOf(request);
  if (decision === undefined) return 'It ended before a computer was looked for.';
  const { candidates, chosen, reason } = decision;
  const winner = candidates.find(({ node_id }) => node_id === chosen);
  if (winner === undefined) return refusalOf(reason, candidates.length);
  const last = request.attempts.at(-1);
  if (request.attempts.length > 1 && last !== undefined && last.node_id !== winner.node_id) {
    return `${winner.node_name} was asked first and did not answer it, so ${last.node_name} was asked, too.`;
  }
  return `Routed to ${winner.node_name}: ${whyChosen(reason, winner, candidates)}.`;
}

function whyChosen(reason: string, winner: Candidate, candidates: readonly Candidate[]): string {
  const rivals = candidates.filter(({ node_id, cost_ms }) => node_id !== winner.node_id && cost_ms !== null);
  const [rival] = rivals.toSorted((one, other) => (one.cost_ms ?? 0) - (other.cost_ms ?? 0));
  if (reason === 'least_bad') return 'the others could serve it even less';
  if (candidates.length === 1) return 'it is the only computer with this model';
  if (rival === undefined) return 'no other computer could serve it';
  return `it was predicted to finish in ${duration(winner.cost_ms)}, ${rival.node_name} in ${duration(rival.cost_ms)}`;
}

const refusals: Readonly<Record<string, string>> = {
  all_full: 'Every computer with this model was busy.',
  all_tried: 'Every computer with this model was asked, and none took it.',
  model_not_found: 'No computer has this model.',
  no_node_for_user: 'No computer that has this model was online.',
  not_loaded: 'The model was not loaded on any computer.',
  context_length_exceeded: 'The prompt fits into the context of no computer.',
};

const refusalOf = (reason: string, candidates: number): string =>
  refusals[reason] ??
  `No computer took it (${reasonText(reason)}${candidates === 0 ? '' : `; ${candidates} looked at`}).`;

/** Milliseconds of a request and of its phases; null: it has no such phase, or nobody measured it. */
export interface Phases {
  readonly queue: number;
  readonly prefill: number | null;
  readonly decode: number | null;
  /** Prefill and decode of a whole response, which shows no border between them. */
  readonly whole: number | null;
  /** The same number wherever the request is shown. */
  readonly total: number;
}

export function predictedPhases(request: ExplainedRequest): Phases | null {
  const decision = decisionOf(request);
  const candidate = decision?.candidates.find(({ node_id }) => node_id === decision.chosen);
  if (candidate?.parts == null) return null;
  const { queue_ms: queue, prefill_ms, link_ms, decode_ms: decode, affinity_ms } = candidate.parts;
  // What it is expected to have read already is not read again. Each part is rounded by itself: the total is that of the list of candidates.
  const total = candidate.cost_ms ?? queue + prefill_ms + link_ms + affinity_ms + decode;
  return { queue, prefill: Math.max(0, total - queue - decode), decode, whole: null, total };
}

/** In the phases that were measured: of a whole response reading and generating are one. */
export const asMeasured = (predicted: Phases | null, actual: Phases | null): Phases | null =>
  predicted === null || actual?.whole == null
    ? predicted
    : { ...predicted, prefill: null, decode: null, whole: (predicted.prefill ?? 0) + (predicted.decode ?? 0) };

/** Those that took any time: of the others a drawing has nothing to show. */
export const phasesOf = (predicted: Phases | null, actual: Phases | null): readonly PhaseName[] =>
  phaseNames.filter((phase) => [predicted, actual].some((phases) => (phases?.[phase] ?? 0) >= 0.5));

const phaseNames = ['queue', 'prefill', 'decode', 'whole'] as const;
export type PhaseName = (typeof phaseNames)[number];

/** The time to the first token includes the queue. */
export function actualPhases({ queue_ms, ttft_ms, duration_ms, node_id }: LoggedRequest): Phases {
  const queue = Math.min(queue_ms, duration_ms);
  const rest = duration_ms - queue;
  if (ttft_ms === null) {
    return { queue, prefill: null, decode: null, whole: node_id === null ? null : rest, total: duration_ms };
  }
  const prefill = Math.min(rest, Math.max(0, ttft_ms - queue));
  return { queue, prefill, decode: rest - prefill, whole: null, total: duration_ms };
}

export const firstTokenOf = ({ queue, prefill }: Phases): number | null => (prefill === null ? null : queue + prefill);

/** Of a request that reached no computer: it has no phases to draw. */
export function refusalTime({ queue_ms, duration_ms }: LoggedRequest): string {
  const waited = queue_ms > 0 ? `, of which it waited ${duration(queue_ms)} for one` : '';
  return `It ended after ${duration(duration_ms)} without reaching a computer${waited}.`;
}
