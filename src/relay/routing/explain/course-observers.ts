import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { Placement } from '../../inventory/model-entry.js';
import { slotAt } from '../selection/placement-finder.js';
import type { Occupancy } from '../admission/occupancy.js';
import { unknownProfile } from '../selection/costing.js';
import type { Decision } from '../selection/decision.js';
import type { RoutingExperience } from '../selection/routing-experience.js';
import type { CourseObserver, LeavingReason, ObservedRequest } from '../request/course-observer.js';
import type { Ending } from '../request/outcome.js';

interface Placed {
  readonly placement: Placement;
  readonly askedAtMs: number;
}

/** Lets the choice learn from how requests went, and the log explain them. */
export class CourseObservers implements CourseObserver {
  /** Where requests are now; one that is nowhere is not in here. */
  private readonly placed = new Map<ObservedRequest, Placed>();

  constructor(
    private readonly experience: RoutingExperience,
    private readonly log: CourseObserver,
    private readonly occupancy: Pick<Occupancy<unknown>, 'busy'>,
    private readonly nowMs: () => number,
  ) {}

  decided(request: ObservedRequest, decision: Decision): void {
    this.log.decided(request, decision);
  }

  undecided(request: ObservedRequest, error: FerryError): void {
    this.log.undecided(request, error);
  }

  queued(request: ObservedRequest, position: number): void {
    this.log.queued(request, position);
  }

  asked(request: ObservedRequest, placement: Placement): void {
    this.placed.set(request, { placement, askedAtMs: this.nowMs() });
    const others = Math.max(0, this.occupancy.busy(slotAt(placement)) - 1);
    this.experience.asked(request, placement, request.order.profile ?? unknownProfile, others);
    this.log.asked(request, placement);
  }

  begun(request: ObservedRequest): void {
    this.experience.begun(request, request.order.context.firstByteAtMs);
  }

  left(request: ObservedRequest, reason: LeavingReason, detail: string): void {
    this.log.left(request, reason, detail);
    const placed = this.take(request);
    if (placed === undefined) return;
    const lost = { completed: false, blamed: true, firstEventMs: null, ...this.nothing(placed) };
    this.experience.ended(request, this.others(placed), reason === 'refused' ? null : lost);
  }

  ended(request: ObservedRequest, ending: Ending): void {
    this.log.ended(request, ending);
    const placed = this.take(request);
    if (placed === undefined) return;
    const { outcome, usage, timings } = ending;
    this.experience.ended(request, this.others(placed), {
      ...this.nothing(placed),
      completed: outcome === 'completed',
      blamed: outcome === 'failed' || outcome === 'timed_out',
      firstEventMs: timings?.first_event_ms ?? null,
      ...(timings === undefined ? {} : { totalMs: timings.total_ms }),
      ...(usage === null || usage.source === 'estimated'
        ? {}
        : {
            inputTokens: usage.input_tokens,
            cachedTokens: usage.cached_tokens,
            outputTokens: usage.output_tokens,
          }),
    });
  }

  private take(request: ObservedRequest): Placed | undefined {
    const placed = this.placed.get(request);
    this.placed.delete(request);
    return placed;
  }

  /** Beside the one that has just left, or is about to. */
  private others({ placement }: Placed): number {
    return Math.max(0, this.occupancy.busy(slotAt(placement)) - 1);
  }

  private nothing({ askedAtMs }: Placed) {
    return { totalMs: this.nowMs() - askedAtMs, inputTokens: null, cachedTokens: null, outputTokens: null };
  }
}
