import { FleetingMap } from '../../../kernel/fleeting-map.js';
import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { Placement } from '../../inventory/model-entry.js';
import { slotAt } from '../selection/placement-finder.js';
import type { EngineRun } from '../admission/learned-slots.js';
import type { Occupancy } from '../admission/occupancy.js';
import { unknownProfile } from '../selection/costing.js';
import type { Decision } from '../selection/decision.js';
import type { Errand, RoutingExperience } from '../selection/routing-experience.js';
import type { CourseObserver, LeavingReason, ObservedRequest } from '../request/course-observer.js';
import type { Blame } from '../prediction/attempt-forecast.js';
import { type Ending, verdictOf } from '../request/outcome.js';

/** Lets the choice learn from how requests went, and the log explain them. */
export class CourseObservers implements CourseObserver {
  /** Where requests are now; one that is nowhere is not in here. */
  private readonly errands = new FleetingMap<object, Errand>();

  constructor(
    private readonly experience: RoutingExperience,
    private readonly log: CourseObserver,
    private readonly occupancy: Pick<Occupancy<unknown>, 'busy'>,
    private readonly nowMs: () => number,
  ) {}

  /** Requests that nodes have now. */
  get live(): number {
    return this.errands.size;
  }

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
    const others = Math.max(0, this.occupancy.busy(slotAt(placement)) - 1);
    this.errands.set(request.token, this.experience.asked(placement, request.order.profile ?? unknownProfile, others));
    this.log.asked(request, placement);
  }

  begun(request: ObservedRequest): void {
    const errand = this.errands.get(request.token);
    if (errand !== undefined) this.experience.begun(errand, request.order.context.firstByteAtMs);
  }

  left(request: ObservedRequest, reason: LeavingReason, detail: string): void {
    const errand = this.take(request);
    this.log.left(request, reason, detail, errand?.placement.node.nodeId);
    if (errand === undefined) return;
    if (reason !== 'refused') this.experience.slots.stopped(errand.placement);
    else if (detail === 'busy') this.experience.slots.full(this.runOf(errand));
    const blamed = reason === 'lost' ? (detail === 'node_disconnected' ? 'node' : 'model') : null;
    const silent = { completed: false, blamed, firstEventMs: null, ...this.nothing(errand) } as const;
    this.experience.ended(errand, this.others(errand), reason === 'refused' ? null : silent);
  }

  followed(request: ObservedRequest, hedge: ObservedRequest): void {
    const errand = this.take(hedge);
    if (errand !== undefined) this.errands.set(request.token, errand);
    this.log.followed(request, hedge);
  }

  /** Until a request without an event makes its node stalled; null: it is with no node. */
  stallInMs(request: ObservedRequest, stallMs: number): number | null {
    const errand = this.errands.get(request.token);
    return errand === undefined ? null : this.experience.stallInMs(errand, stallMs);
  }

  /** Until the first event of a request is overdue; null: it is with no node. */
  overdueInMs(request: ObservedRequest): number | null {
    const errand = this.errands.get(request.token);
    return errand === undefined ? null : this.experience.overdueInMs(errand);
  }

  /** Until the first event of a request is later than 95 % of its node's; null: nobody can tell. */
  lateInMs(request: ObservedRequest): number | null {
    const errand = this.errands.get(request.token);
    return errand === undefined ? null : this.experience.lateInMs(errand);
  }

  ended(request: ObservedRequest, ending: Ending): void {
    this.log.ended(request, ending);
    const errand = this.take(request);
    if (errand === undefined) return;
    const { outcome, error, usage, timings } = ending;
    if (ending.reset !== null) this.experience.slots.stopped(errand.placement);
    this.experience.ended(errand, this.others(errand), {
      ...this.nothing(errand),
      completed: outcome === 'completed',
      blamed: blameOf(ending),
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

  private take(request: ObservedRequest): Errand | undefined {
    return this.errands.take(request.token);
  }

  /** Beside the one that has just left, or is about to. */
  private others({ placement }: Errand): number {
    return Math.max(0, this.occupancy.busy(slotAt(placement)) - 1);
  }

  private runOf(errand: Errand): EngineRun {
    return { placement: errand.placement, others: this.others(errand), startedAtMs: errand.forecast.askedAtMs };
  }

  private nothing({ forecast }: Errand) {
    return { totalMs: this.nowMs() - forecast.askedAtMs, inputTokens: null, cachedTokens: null, outputTokens: null };
  }
}

function blameOf(ending: Ending): Blame {
  const verdict = verdictOf(ending);
  switch (verdict) {
    case 'node_failed':
      return 'node';
    case 'model_failed':
      return 'model';
    case 'good':
    case 'none':
      return null;
    default:
      return verdict satisfies never;
  }
}
