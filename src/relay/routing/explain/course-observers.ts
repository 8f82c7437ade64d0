import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { Placement } from '../../inventory/model-entry.js';
import { slotAt } from '../selection/placement-finder.js';
import type { EngineRun } from '../admission/learned-slots.js';
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
    const placed = { placement, askedAtMs: this.nowMs() };
    this.placed.set(request, placed);
    const others = Math.max(0, this.occupancy.busy(slotAt(placement)) - 1);
    this.experience.asked(placed, placement, request.order.profile ?? unknownProfile, others);
    this.log.asked(request, placement);
  }

  begun(request: ObservedRequest): void {
    const placed = this.placed.get(request);
    if (placed !== undefined) this.experience.begun(placed, request.order.context.firstByteAtMs);
  }

  left(request: ObservedRequest, reason: LeavingReason, detail: string): void {
    const placed = this.take(request);
    this.log.left(request, reason, detail, placed?.placement.node.nodeId);
    if (placed === undefined) return;
    if (reason !== 'refused') this.experience.slots.stopped(placed.placement);
    else if (detail === 'busy') this.experience.slots.full(this.runOf(placed));
    const silent = { completed: false, blamed: reason === 'lost', firstEventMs: null, ...this.nothing(placed) };
    this.experience.ended(placed, this.others(placed), reason === 'refused' ? null : silent);
  }

  followed(request: ObservedRequest, hedge: ObservedRequest): void {
    const placed = this.take(hedge);
    if (placed !== undefined) this.placed.set(request, placed);
    this.log.followed(request, hedge);
  }

  /** Until the first event of a request is overdue; null: it is with no node. */
  overdueInMs(request: ObservedRequest): number | null {
    const placed = this.placed.get(request);
    return placed === undefined ? null : this.experience.overdueInMs(placed);
  }

  /** Until the first event of a request is later than 95 % of its node's; null: nobody can tell. */
  lateInMs(request: ObservedRequest): number | null {
    const placed = this.placed.get(request);
    return placed === undefined ? null : this.experience.lateInMs(placed);
  }

  ended(request: ObservedRequest, ending: Ending): void {
    this.log.ended(request, ending);
    const placed = this.take(request);
    if (placed === undefined) return;
    const { outcome, error, usage, timings } = ending;
    if (ending.reset !== null) this.experience.slots.stopped(placed.placement);
    this.experience.ended(placed, this.others(placed), {
      ...this.nothing(placed),
      completed: outcome === 'completed',
      blamed: outcome === 'failed' || outcome === 'timed_out',
      overloaded: error?.code === 'engine_rejected_request' && error.status === 429,
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

  private runOf(placed: Placed): EngineRun {
    return { placement: placed.placement, others: this.others(placed), startedAtMs: placed.askedAtMs };
  }

  private nothing({ askedAtMs }: Placed) {
    return { totalMs: this.nowMs() - askedAtMs, inputTokens: null, cachedTokens: null, outputTokens: null };
  }
}
