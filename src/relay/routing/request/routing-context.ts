import type { Clock } from '../../../kernel/clock.js';
import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { RateLimits } from '../../platform/limits/rate-limits.js';
import type { TimerWheel } from '../../platform/timing/timer-wheel.js';
import type { RequestLifecycleListener } from './request-lifecycle-listener.js';
import type { AdmissionQueue } from '../admission/admission-queue.js';
import type { BusyCooldown } from '../admission/busy-cooldown.js';
import type { InferenceLimits, RoutedRequest } from './routed-request.js';
import type { NodeHealth } from '../../nodes/health/node-health.js';
import type { Hedging } from './hedge-budget.js';
import type { LiveRequest, LiveRequests } from './live-requests.js';
import type { Occupancy } from '../admission/occupancy.js';
import type { OutcomeSink } from './outcome-report.js';
import type { PlacementFinder } from '../selection/placement-finder.js';
import type { QueueWaker } from '../selection/queue-waker.js';

/** The state and services that all requests of one relay share. */
export interface RoutingContext {
  /** Why the request may not start now (the relay drains, the key was just revoked); null when it may. */
  readonly gate: (routed: RoutedRequest) => FerryError | null;
  readonly rateLimits: Pick<RateLimits, 'queryFirst' | 'admit'>;
  readonly finder: Pick<PlacementFinder, 'find' | 'hasSlot' | 'freeSlots' | 'survey'>;
  /** Counts requests and their hedges. */
  readonly occupancy: Occupancy<unknown>;
  readonly queue: AdmissionQueue;
  readonly waker: Pick<QueueWaker, 'slotFreed'>;
  readonly busyCooldown: Pick<BusyCooldown, 'mark' | 'reported'>;
  readonly health: NodeHealth;
  readonly live: LiveRequests<LiveRequest>;
  readonly limits: InferenceLimits;
  /** When the relay began to accept requests, monotonic. */
  startedAtMs: number;
  readonly timers: Pick<TimerWheel, 'schedule'>;
  readonly clock: Clock;
  readonly outcomes: OutcomeSink;
  /** Until a request that has no event makes its node stalled, by all that is known of the node; null: unknown. */
  readonly stallInMs: (request: LiveRequest) => number | null;
  /** null: no hedging. */
  readonly hedging: Hedging | null;
  readonly lifecycle: RequestLifecycleListener;
  /** Responses have headers that explain how they were routed. */
  readonly explainsInHeaders: boolean;
}
