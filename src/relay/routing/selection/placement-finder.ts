import type { Rng } from '../../../kernel/clock.js';
import type { AccountId, ModelSelector, NodeId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import { alwaysHealthy, type NodeHealthState } from '../../nodes/health/health-view.js';
import { noCachedPrompt, type CachedPrompt } from '../affinity/affinity-cache.js';
import { FreedNodes } from '../admission/freed-nodes.js';
import { needsOf } from './capability.js';
import { Capacity, type CapacitySources } from './capacity.js';
import { choose } from './choice.js';
import { considerAll, hasOpen, ineligible, withoutAvoided } from './consider.js';
import { occupancyCosting, unknownProfile, type CostEstimate, type Costing, type RequestProfile } from './costing.js';
import type { Considered, Decision } from './decision.js';
import {
  assessAll,
  placementsFor,
  surveyPlacements,
  type EligibilityQuery,
  type FleetView,
  type Verdict,
} from './eligibility.js';
import { PlacementPool } from './placement-pool.js';
import { SAMPLED_ABOVE, searchSample } from './sampled-search.js';

/**
 * The longest context of the eligible placements, suspect ones included: health must not send a prompt where it does not fit. Infinity when
 * one does not report it.
 */
function longestContext(placements: readonly Placement[], verdicts: readonly Verdict[]): number {
  let longest = 0;
  for (let index = 0; index < placements.length; index += 1) {
    const verdict = verdicts[index];
    if (verdict === 'eligible' || verdict === 'suspect')
      longest = Math.max(longest, placements[index]?.report.context_length ?? Infinity);
  }
  return longest;
}

/** The placement that a request takes. */
export interface FreePlacement {
  readonly placement: Placement;
  /** Prompt tokens that may be cached there; null: it was not looked up. */
  readonly cachedPromptTokens: number | null;
}

/** Eligible nodes exist, but all their slots are in use. */
export interface FullNodes {
  /** The queue that the request joins. */
  readonly selector: ModelSelector;
  /** Placements that may have its prompt cached. */
  readonly cachedPrompt: CachedPrompt;
}

export type Finding = { readonly decision: Decision } & (
  | ({ readonly kind: 'free' } & FreePlacement)
  | ({ readonly kind: 'full' } & FullNodes)
  /** Every eligible node has rejected or lost the request. */
  | { readonly kind: 'exhausted' }
);

export interface PlacementFinderOptions extends CapacitySources {
  readonly fleetOf: (accountId: AccountId) => FleetView;
  readonly random: Rng;
  /** Absent: the fraction of slots in use. */
  readonly costing?: Costing;
  /** Slots that became free. */
  readonly freed?: FreedNodes;
}

/** Eligibility, then choice, on the nodes as they are now. The caller takes the slot in the same turn. */
export class PlacementFinder {
  private readonly capacity: Capacity;
  private readonly freed: FreedNodes;
  /** By the list of a model's placements, which is another one when any of them changes. */
  private readonly pools = new WeakMap<readonly Placement[], PlacementPool>();

  constructor(private readonly options: PlacementFinderOptions) {
    this.capacity = new Capacity(options);
    this.freed = options.freed ?? new FreedNodes();
  }

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
    const fleet = this.options.fleetOf(accountId);
    const placements = placementsFor(query, fleet);
    const request = { accountId, query, excluded, profile, leastTokens };
    const sampled = placements.length > SAMPLED_ABOVE ? this.findInSample(request, fleet, placements) : null;
    return sampled ?? this.findAmongAll(request, fleet, placements);
  }

  /** Whether a request could start there now. */
  hasSlot(placement: Placement): boolean {
    return this.freeSlots(placement) > 0;
  }

  /** Requests that could start there now. */
  freeSlots(placement: Placement): number {
    return this.capacity.free(placement);
  }

  /** Nothing could start at the placement's engine now, whatever its model is. */
  isEngineFull(placement: Placement): boolean {
    return this.capacity.isEngineFull(placement);
  }

  /** For the explanation of a request that no node may serve: the verdict of each placement. */
  survey(accountId: AccountId, query: EligibilityQuery): Decision {
    const assessed = surveyPlacements(query, this.options.fleetOf(accountId));
    const candidates = assessed.map(({ placement, verdict }) => ineligible(placement, verdict));
    return { candidates, placements: candidates.length, chosen: null };
  }

  private findAmongAll(
    { accountId, query, excluded, profile, leastTokens }: FindRequest,
    fleet: FleetView,
    placements: readonly Placement[],
  ): Finding {
    const { costing = occupancyCosting } = this.options;
    const { capacity } = this;
    const verdicts = assessAll(placements, query, fleet);
    const selector = selectorOf(placements, verdicts);
    const estimate = costing.estimate(accountId, selector, profile);
    const { promptTokens } = estimate;
    // An estimate must not refuse a request: if no context is that long, the longest one is used, and its engine decides.
    const estimatedTokens = promptTokens === null ? 0 : Math.min(promptTokens, longestContext(placements, verdicts));
    const room = { estimatedTokens, leastTokens };
    const requirement = { excluded, room, estimate, capacity, suspectsToo: false };
    let candidates = considerAll(placements, verdicts, requirement);
    if (hasOpen(candidates)) candidates = withoutAvoided(candidates, estimate);
    else if (verdicts.includes('suspect')) {
      candidates = considerAll(placements, verdicts, { ...requirement, suspectsToo: true });
    }
    const chosen = this.choose(candidates, fleet, costing, conversationOf(profile));
    const decision: Decision = { candidates, placements: placements.length, chosen };
    if (chosen !== null) return free(chosen, estimate, decision);
    const open = candidates.some(({ reason }) => reason === 'full');
    return open ? { kind: 'full', ...full(selector, estimate), decision } : { kind: 'exhausted', decision };
  }

  /** @returns null: all placements must be looked at */
  private findInSample(
    { accountId, query, excluded, profile, leastTokens }: FindRequest,
    fleet: FleetView,
    placements: readonly Placement[],
  ): Finding | null {
    const { costing = occupancyCosting, random } = this.options;
    const selector = placements[0]?.report.selector;
    if (selector === undefined) return null;
    const estimate = costing.estimate(accountId, selector, profile);
    const room = { estimatedTokens: estimate.promptTokens ?? 0, leastTokens };
    const decision = searchSample(this.poolOf(placements), {
      requirement: { excluded, room, estimate, capacity: this.capacity, suspectsToo: false },
      needs: needsOf(query.dialect, query.requirements),
      health: fleet.health ?? alwaysHealthy,
      tieWithin: costing.tieWithin,
      random,
      conversation: conversationOf(profile),
    });
    if (decision === null) return null;
    const { chosen } = decision;
    return chosen === null ? { kind: 'full', ...full(selector, estimate), decision } : free(chosen, estimate, decision);
  }

  private poolOf(placements: readonly Placement[]): PlacementPool {
    let pool = this.pools.get(placements);
    if (pool === undefined) this.pools.set(placements, (pool = new PlacementPool(placements, this.freed)));
    return pool;
  }

  /** A probing placement gets a request only when no healthy one has room, a suspect one only when there is no other. */
  private choose(
    candidates: readonly Considered[],
    fleet: FleetView,
    { tieWithin }: Costing,
    conversation: string | null,
  ): Considered | null {
    const { random } = this.options;
    const healthy = inState('healthy', candidates, fleet);
    const chosen = choose(healthy, tieWithin, random, conversation);
    if (chosen !== undefined || healthy === candidates) return chosen ?? null;
    return (
      choose(inState('probing', candidates, fleet), tieWithin, random, conversation) ??
      choose(candidates, tieWithin, random, conversation) ??
      null
    );
  }
}

interface FindRequest {
  readonly accountId: AccountId;
  readonly query: EligibilityQuery;
  readonly excluded: ReadonlySet<NodeId>;
  readonly profile: RequestProfile;
  readonly leastTokens: number;
}

const free = ({ placement }: Considered, { cachedPrompt: cached }: CostEstimate, decision: Decision): Finding => ({
  kind: 'free',
  placement,
  cachedPromptTokens: cached?.tokensAt(placement) ?? null,
  decision,
});

const full = (selector: ModelSelector, { cachedPrompt: cached }: CostEstimate): FullNodes => ({
  selector,
  cachedPrompt: cached ?? noCachedPrompt,
});

/** A session id of the client takes precedence, as for the cache of served conversations. */
const conversationOf = ({ affinity: { session, opening } }: RequestProfile): string | null => session ?? opening;

function inState(
  state: NodeHealthState,
  candidates: readonly Considered[],
  { health }: FleetView,
): readonly Considered[] {
  if (health === undefined || (state === 'healthy' && health.size === 0)) return candidates;
  const isInState = ({ placement: { node, report } }: Considered): boolean =>
    health.stateOf(node.nodeId, report.key) === state;
  return candidates.every(isInState) ? candidates : candidates.filter(isInState);
}

/**
 * The model whose profile estimates the request and whose queue it joins. A name of several models means any of them: one that may serve it
 * stands for all, so that all candidates are compared by the same size and wait in the same queue.
 */
function selectorOf(placements: readonly Placement[], verdicts: readonly Verdict[]): ModelSelector {
  const eligible = verdicts.indexOf('eligible');
  const placement = placements[eligible >= 0 ? eligible : verdicts.indexOf('suspect')];
  if (placement === undefined) throw new Error('eligibility returned no placement');
  return placement.report.selector;
}
