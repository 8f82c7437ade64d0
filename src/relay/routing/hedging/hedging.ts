import type { Clock } from '../../../kernel/clock.js';
import type { TimerWheel } from '../../platform/timing/timer-wheel.js';
import type { AdmissionQueue } from '../admission/admission-queue.js';
import type { BusyCooldown } from '../admission/busy-cooldown.js';
import type { Occupancy } from '../admission/occupancy.js';
import type { NodeHealth } from '../../nodes/health/node-health.js';
import type { RequestLifecycleListener, ObservedRequest } from '../request/request-lifecycle-listener.js';
import type { InferenceLimits } from '../request/routed-request.js';
import type { OutcomeSink } from '../request/outcome-report.js';
import type { PlacementFinder } from '../selection/placement-finder.js';
import type { HedgeBudget } from './hedge-budget.js';

/** What second tries of one relay share. Absent where there are none, so that requests without cost nothing for it. */
export interface Hedging {
  readonly budget: HedgeBudget;
  /** No second try before that, however fast the node usually is. */
  readonly afterMs: number;
  /** Until the first event of a request is later than 95 % of its node's; null: nobody can tell. */
  readonly lateInMs: (request: ObservedRequest) => number | null;
}

/** What a second try needs of what all requests share. */
export interface HedgeDesk {
  readonly finder: Pick<PlacementFinder, 'find'>;
  readonly occupancy: Occupancy<object>;
  readonly queue: AdmissionQueue;
  readonly busyCooldown: Pick<BusyCooldown, 'mark'>;
  readonly health: NodeHealth;
  readonly limits: Pick<InferenceLimits, 'acceptTimeoutMs'>;
  readonly timers: Pick<TimerWheel, 'schedule'>;
  readonly clock: Clock;
  readonly outcomes: OutcomeSink;
  readonly lifecycle?: RequestLifecycleListener;
}
