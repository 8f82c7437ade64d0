import type { Rng } from '../../../kernel/clock.js';
import type { AccountId, ModelSelector, NodeId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { NodeHealthState } from '../../nodes/health/health-view.js';
import type { BusyCooldown } from '../admission/busy-cooldown.js';
import type { LearnedSlots } from '../admission/learned-slots.js';
import { slotsOf, usedElsewhere, type Occupancy, type Slot } from '../admission/occupancy.js';
import { choose } from './choice.js';
import { occupancyCosting, unknownProfile, type Appraisal, type Costing, type RequestProfile } from './costing.js';
import type { CandidateReason, Considered, Decision } from './decision.js';
import {
  assessPlacements,
  surveyPlacements,
  type Assessed,
  type EligibilityQuery,
  type FleetView,
} from './eligibility.js';

/** Tolerance of the estimate; an unnecessary choice of another node costs little. */
const ESTIMATE_PART = 0.9;

interface RoomNeeded {
  /** Prompt tokens, estimated from the size of the body. */
  readonly estimatedTokens: number;
  /** Counted by a node that rejected the request as too long; 0: none. */
  readonly leastTokens: number;
}

/** A node that does not report its context is assumed to have room. */
const hasRoomFor = ({ report }: Placement, { estimatedTokens, leastTokens }: RoomNeeded): boolean =>
  report.context_length === null ||
  (report.context_length >= estimatedTokens * ESTIMATE_PART && report.context_length >= leastTokens);

/**
 * The longest context of the eligible placements, suspect ones included: health must not send a prompt where it does not fit. Infinity when
 * one does not report it.
 */
function longestContext(assessed: readonly Assessed[]): number {
  let longest = 0;
  for (const { placement, verdict } of assessed) {
    if (verdict === 'eligible' || verdict === 'suspect')
      longest = Math.max(longest, placement.report.context_length ?? Infinity);
  }
  return longest;
}

export type Finding = { readonly decision: Decision } & (
  | { readonly kind: 'free'; readonly placement: Placement }
  /** Eligible nodes exist, but all their slots are in use. */
  | { readonly kind: 'full'; readonly selector: ModelSelector }
  /** Every eligible node has rejected or lost the request. */
  | { readonly kind: 'exhausted' }
);

export interface PlacementFinderOptions {
  readonly fleetOf: (accountId: AccountId) => FleetView;
  readonly occupancy: Pick<Occupancy<unknown>, 'busy'>;
  readonly busyCooldown: Pick<BusyCooldown, 'has'>;
  readonly random: Rng;
  /** Learned slot limits. Absent: the reported slots apply. */
  readonly learnedSlots?: Pick<LearnedSlots, 'limitOf'>;
  /** Absent: the fraction of slots in use. */
  readonly costing?: Costing;
}

export const slotAt = ({ node, report }: Placement): Slot => ({ nodeId: node.nodeId, engine: report.engine });

/** Eligibility, then choice, on the nodes as they are now. The caller takes the slot in the same turn. */
export class PlacementFinder {
  constructor(private readonly options: PlacementFinderOptions) {}

  /**
   * @param leastTokens context that a node must have, counted by other nodes; unlike an estimate, it excludes placements
   * @throws FerryError when nothing is eligible (docs/reference/api-behaviour.md#order-of-checks, checks 2–7).
   */
  find(
    accountId: AccountId,
    query: EligibilityQuery,
    excluded: ReadonlySet<NodeId>,
    profile: RequestProfile = unknownProfile,
    leastTokens = 0,
  ): Finding {
    const { fleetOf, costing = occupancyCosting } = this.options;
    const fleet = fleetOf(accountId);
    const assessed = assessPlacements(query, fleet);
    const selector = selectorOf(assessed);
    const appraisal = costing.appraise(accountId, selector, profile);
    const room = { estimatedTokens: needed(assessed, appraisal.promptTokens), leastTokens };
    let candidates = assessed.map((one) => this.consider(one, excluded, room, appraisal, false));
    if (candidates.some(isOpen)) candidates = withoutAvoided(candidates, appraisal);
    else if (assessed.some(isSuspect)) {
      candidates = assessed.map((one) => this.consider(one, excluded, room, appraisal, true));
    }
    const chosen = this.choose(candidates, fleet, costing, conversationOf(profile));
    const decision: Decision = { candidates, chosen };
    if (chosen !== null) return { kind: 'free', placement: chosen.placement, decision };
    const open = candidates.some(({ reason }) => reason === 'full');
    return open ? { kind: 'full', selector, decision } : { kind: 'exhausted', decision };
  }

  /** Whether a request could start there now. */
  hasSlot(placement: Placement): boolean {
    return this.freeSlots(placement) > 0;
  }

  /** Requests that could start there now. */
  freeSlots(placement: Placement): number {
    const slots = this.slotsAt(placement, slotsOf(placement));
    return Math.max(0, slots - this.busy(placement, slots));
  }

  /** For the explanation of a request that no node may serve: the verdict of each placement. */
  survey(accountId: AccountId, query: EligibilityQuery): Decision {
    const assessed = surveyPlacements(query, this.options.fleetOf(accountId));
    return { candidates: assessed.map(({ placement, verdict }) => outOfTheQuestion(placement, verdict)), chosen: null };
  }

  /** A probing placement gets a request only when no healthy one has room, a suspect one only when there is no other. */
  private choose(
    candidates: readonly Considered[],
    fleet: FleetView,
    { tieWithin }: Costing,
    conversation: string | null,
  ): Considered | null {
    const { random } = this.options;
    const wellOnes = inState('healthy', candidates, fleet);
    const chosen = choose(wellOnes, tieWithin, random, conversation);
    if (chosen !== undefined || wellOnes === candidates) return chosen ?? null;
    return (
      choose(inState('probing', candidates, fleet), tieWithin, random, conversation) ??
      choose(candidates, tieWithin, random, conversation) ??
      null
    );
  }

  private consider(
    { placement, verdict }: Assessed,
    excluded: ReadonlySet<NodeId>,
    room: RoomNeeded,
    appraisal: Appraisal,
    /** No better one is left. */
    suspectsToo: boolean,
  ): Considered {
    if (verdict !== 'eligible' && !(suspectsToo && verdict === 'suspect')) return outOfTheQuestion(placement, verdict);
    if (excluded.has(placement.node.nodeId)) return outOfTheQuestion(placement, 'excluded');
    if (!hasRoomFor(placement, room)) return outOfTheQuestion(placement, 'context_too_short');
    const advertised = slotsOf(placement);
    const slots = this.slotsAt(placement, advertised);
    const busy = this.busy(placement, slots);
    if (busy >= slots) return { placement, reason: 'full', busy, slots, advertised, cost: Infinity, parts: null };
    const candidate = { placement, busy, slots };
    const parts = appraisal.partsOf(candidate);
    return { placement, reason: verdict, busy, slots, advertised, cost: appraisal.costOf(candidate, parts), parts };
  }

  private slotsAt(placement: Placement, advertised: number): number {
    return Math.min(advertised, this.options.learnedSlots?.limitOf(placement) ?? advertised);
  }

  private busy(placement: Placement, slots: number): number {
    const slot = slotAt(placement);
    if (this.options.busyCooldown.has(slot)) return slots;
    return this.options.occupancy.busy(slot) + (usedElsewhere(placement) ?? 0);
  }
}

/** A placement with a penalty is skipped while another could serve the request, at once or after a wait; alone, it is used. */
function withoutAvoided(considered: Considered[], appraisal: Appraisal): Considered[] {
  const isAvoided = (one: Considered): boolean => isOpen(one) && appraisal.isAvoided(one.placement);
  if (!considered.some(isAvoided)) return considered;
  const marked = considered.map((one) => (isAvoided(one) ? outOfTheQuestion(one.placement, 'avoided') : one));
  return marked.some(isOpen) ? marked : considered;
}

/** It could serve the request, at once or after a wait, and is healthy. */
const isOpen = ({ reason }: Considered): boolean => reason === 'eligible' || reason === 'full';

/** A session id of the client takes precedence, as for the cache of served conversations. */
const conversationOf = ({ affinity: { session, opening } }: RequestProfile): string | null => session ?? opening;

const isSuspect = ({ verdict }: Assessed): boolean => verdict === 'suspect';

function inState(
  state: NodeHealthState,
  candidates: readonly Considered[],
  { health }: FleetView,
): readonly Considered[] {
  if (health === undefined) return candidates;
  const isInState = ({ placement: { node, report } }: Considered): boolean =>
    health.stateOf(node.nodeId, report.key) === state;
  return candidates.every(isInState) ? candidates : candidates.filter(isInState);
}

const outOfTheQuestion = (placement: Placement, reason: CandidateReason): Considered => ({
  placement,
  reason,
  busy: 0,
  slots: 0,
  advertised: 0,
  cost: Infinity,
  parts: null,
});

/**
 * The model whose profile estimates the request and whose queue it joins. A name of several models means any of them: one that may serve it stands for
 * all, so that all candidates are compared by the same size and wait in the same queue.
 */
function selectorOf(assessed: readonly Assessed[]): ModelSelector {
  for (const { placement, verdict } of assessed) if (verdict === 'eligible') return placement.report.selector;
  for (const { placement, verdict } of assessed) if (verdict === 'suspect') return placement.report.selector;
  throw new Error('eligibility returned no placement');
}

/** An estimate must not refuse a request: if no context is that long, the longest one is used, and its engine decides. */
const needed = (assessed: readonly Assessed[], promptTokens: number | null): number =>
  promptTokens === null ? 0 : Math.min(promptTokens, longestContext(assessed));
