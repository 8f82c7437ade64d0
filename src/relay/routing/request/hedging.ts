import type { Clock } from '../../../kernel/clock.js';
import type { TimerWheel } from '../../platform/timing/timer-wheel.js';
import type { AdmissionQueue } from '../admission/admission-queue.js';
import type { BusyCooldown } from '../admission/busy-cooldown.js';
import type { Occupancy } from '../admission/occupancy.js';
import type { NodeHealth } from '../../nodes/health/node-health.js';
import type { RequestLifecycleListener, ObservedRequest } from './request-lifecycle-listener.js';
import type { InferenceLimits } from './routed-request.js';
import type { OutcomeSink } from './outcome-report.js';
import type { PlacementFinder } from '../selection/placement-finder.js';
import type { HedgeBudget } from './hedge-budget.js';

/** The hedging state that the requests of one relay share. Absent when hedging is off, so that it costs nothing then. */
export interface Hedging {
  readonly budget: HedgeBudget;
  /** Lower bound of the delay before a hedge. */
  readonly afterMs: number;
  /** Milliseconds until the first event is later than the p95 of its node; null: unknown. */
  readonly lateInMs: (request: ObservedRequest) => number | null;
}

/** The part of the routing context that a hedge uses. */
export interface HedgeContext {
  readonly finder: Pick<PlacementFinder, 'find'>;
  readonly occupancy: Occupancy<object>;
  readonly queue: AdmissionQueue;
  readonly busyCooldown: Pick<BusyCooldown, 'mark'>;
  readonly health: NodeHealth;
  readonly limits: Pick<InferenceLimits, 'acceptTimeoutMs'>;
  readonly timers: Pick<TimerWheel, 'schedule'>;
  readonly clock: Clock;
  readonly outcomes: OutcomeSink;
  readonly lifecycle: RequestLifecycleListener;
}
