import type { Placement } from '../../inventory/model-entry.js';
import type { BusyCooldown } from '../admission/busy-cooldown.js';
import type { LearnedSlots } from '../admission/learned-slots.js';
import { engineStatus, slotsOf, usedElsewhere, type Occupancy, type Slot } from '../admission/occupancy.js';

export const slotAt = ({ node, report }: Placement): Slot => ({ nodeId: node.nodeId, engine: report.engine });

export interface CapacitySources {
  readonly occupancy: Pick<Occupancy<unknown>, 'busy'>;
  readonly busyCooldown: Pick<BusyCooldown, 'has'>;
  /** Learned slot limits. Absent: the reported slots apply. */
  readonly learnedSlots?: Pick<LearnedSlots, 'limitOf'>;
}

/** How many requests a placement's engine runs at once, and how many it runs now. */
export class Capacity {
  constructor(private readonly sources: CapacitySources) {}

  /** @param advertised by its node */
  slots(placement: Placement, advertised = slotsOf(placement)): number {
    return Math.min(advertised, this.sources.learnedSlots?.limitOf(placement) ?? advertised);
  }

  /** All of its slots while it is in the cooldown after a rejection, and while its node's link has as many requests as it may. */
  busy(placement: Placement, slots: number, engine = engineStatus(placement)): number {
    if (placement.node.freeStreams <= 0) return slots;
    const slot = slotAt(placement);
    if (this.sources.busyCooldown.has(slot)) return slots;
    return this.sources.occupancy.busy(slot) + (usedElsewhere(placement, engine) ?? 0);
  }

  /** Nothing could start at the placement's engine now, whatever its model is: learned slots are never more than reported. */
  isEngineFull(placement: Placement): boolean {
    const advertised = slotsOf(placement);
    return this.busy(placement, advertised) >= advertised;
  }

  /** Requests that could start there now. */
  free(placement: Placement): number {
    const slots = this.slots(placement);
    return Math.max(0, Math.min(placement.node.freeStreams, slots - this.busy(placement, slots)));
  }
}
