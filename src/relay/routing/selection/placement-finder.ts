import type { Rng } from '../../../kernel/clock.js';
import type { AccountId, ModelSelector, NodeId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { BusyMarks } from '../admission/busy-marks.js';
import { choose, occupancyCost, slotsOf, type Candidate, type Cost } from './choice.js';
import { eligiblePlacements, type EligibilityQuestion, type FleetView } from './eligibility.js';
import type { Occupancy, Slot } from '../admission/occupancy.js';

export type Finding =
  | { readonly kind: 'free'; readonly placement: Placement }
  /** Nodes could serve the request, all their slots are taken. */
  | { readonly kind: 'full'; readonly selector: ModelSelector }
  /** Every node that could serve the request has refused or lost it. */
  | { readonly kind: 'exhausted' };

export interface PlacementFinderOptions {
  readonly fleetOf: (accountId: AccountId) => FleetView;
  readonly occupancy: Pick<Occupancy<unknown>, 'busy'>;
  readonly busyMarks: Pick<BusyMarks, 'has'>;
  readonly random: Rng;
  readonly cost?: Cost;
}

export const slotAt = ({ node, report }: Placement): Slot => ({ nodeId: node.nodeId, engine: report.engine });

/** Eligibility, then choice, on the fleet as it is at this moment. The caller takes the slot before anybody else can ask. */
export class PlacementFinder {
  constructor(private readonly options: PlacementFinderOptions) {}

  /** @throws FerryError when nothing is eligible (design §4, checks 2–7). */
  find(accountId: AccountId, question: EligibilityQuestion, excluded: ReadonlySet<NodeId>): Finding {
    const { fleetOf, cost = occupancyCost, random } = this.options;
    const eligible = eligiblePlacements(question, fleetOf(accountId));
    const open = eligible.filter(({ node }) => !excluded.has(node.nodeId));
    const [first] = open;
    if (first === undefined) return { kind: 'exhausted' };
    const chosen = choose(
      open.map((placement) => this.candidate(placement)),
      cost,
      random,
    );
    if (chosen === undefined) return { kind: 'full', selector: first.report.selector };
    return { kind: 'free', placement: chosen.placement };
  }

  private candidate(placement: Placement): Candidate {
    const slot = slotAt(placement);
    const slots = slotsOf(placement);
    const busy = this.options.busyMarks.has(slot) ? slots : this.options.occupancy.busy(slot);
    return { placement, busy, slots };
  }
}
