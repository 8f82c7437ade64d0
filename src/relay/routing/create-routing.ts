import type { Clock, Rng } from '../../kernel/clock.js';
import type { AccountId } from '../../kernel/ids.js';
import { RateLimits, type ReplicaQueries } from '../platform/limits/rate-limits.js';
import type { NodeHealth } from '../nodes/health/node-health.js';
import type { RelaySettings } from '../platform/config/relay-settings.js';
import type { TimerWheel } from '../platform/timing/timer-wheel.js';
import { AdmissionQueue, WakeCoalescer } from './admission/admission-queue.js';
import { BusyCooldown } from './admission/busy-cooldown.js';
import { FreedNodes } from './admission/freed-nodes.js';
import { Occupancy } from './admission/occupancy.js';
import { DecisionLog } from './explain/decision-log.js';
import type { RequestTrace } from './explain/request-trace.js';
import { RequestTracker, type DelayListener } from './explain/request-tracker.js';
import { HedgeBudget } from './request/hedge-budget.js';
import { LiveRequests } from './request/live-requests.js';
import type { OutcomeSink } from './request/outcome-report.js';
import type { RoutingContext } from './request/routing-context.js';
import { slotAt } from './selection/capacity.js';
import { TracedLifecycle } from './tracing/traced-lifecycle.js';
import type { FleetView } from './selection/eligibility.js';
import { PlacementFinder } from './selection/placement-finder.js';
import { QueueWaker } from './selection/queue-waker.js';
import { RoutingStats } from './selection/routing-stats.js';

export interface SelectionOptions {
  readonly clock: Clock;
  readonly timers: Pick<TimerWheel, 'schedule'>;
  readonly random: Rng;
  readonly fleetOf: (accountId: AccountId) => FleetView;
  /** `least-busy` compares only the slots in use, as a baseline for benchmarks and for tests of a request. */
  readonly choice?: 'predicted' | 'least-busy';
  readonly settings: Pick<RelaySettings, 'queueLimit' | 'affinityKeys'>;
}

/** Selection of nodes, and their learned statistics. */
export interface Selection {
  readonly queue: AdmissionQueue;
  readonly wakes: WakeCoalescer;
  /** Counts requests and their hedges. */
  readonly occupancy: Occupancy<unknown>;
  readonly busyCooldown: BusyCooldown;
  readonly stats: RoutingStats;
  readonly finder: PlacementFinder;
  readonly waker: QueueWaker;
}

export function createSelection({ clock, timers, random, fleetOf, choice, settings }: SelectionOptions): Selection {
  const queue = new AdmissionQueue(settings.queueLimit, clock);
  const wakes = new WakeCoalescer((accountId) => {
    queue.fleetChanged(accountId);
  });
  const freed = new FreedNodes();
  const occupancy = new Occupancy<unknown>(freed);
  const busyCooldown = new BusyCooldown(timers, (accountId, slot) => {
    waker.engineFreed(accountId, slot);
  });
  const stats = new RoutingStats(clock, settings, (placement) => {
    // The request that showed it still has its own slot.
    queueMicrotask(() => {
      waker.slotFreed(placement.node.accountId, slotAt(placement));
    });
  });
  const learned = choice === 'least-busy' ? {} : { costing: stats.costing, learnedSlots: stats.slots };
  const finder = new PlacementFinder({ fleetOf, occupancy, busyCooldown, random, freed, ...learned });
  const waker = new QueueWaker({ queue, finder, freed, fleetOf });
  return { queue, wakes, occupancy, busyCooldown, stats, finder, waker };
}

export interface RoutingOptions extends SelectionOptions {
  readonly gate: RoutingContext['gate'];
  readonly health: NodeHealth;
  readonly outcomes: OutcomeSink;
  /** Called with the explanation of each finished request. Must not throw. */
  readonly onExplained?: (trace: RequestTrace) => void;
  readonly settings: RelaySettings;
  /** Asks the other replicas for running requests. Absent: there are none. */
  readonly queries?: ReplicaQueries | null;
  readonly delays?: DelayListener;
  /** Requests may be part of traces that are recorded. */
  readonly traced?: boolean;
}

export interface Routing {
  readonly context: RoutingContext;
  readonly rateLimits: RateLimits;
  readonly stats: RoutingStats;
  readonly decisions: DecisionLog;
  readonly wakes: WakeCoalescer;
  readonly waker: QueueWaker;
}

/** Builds the state that all requests of one relay share. */
export function createRouting(options: RoutingOptions): Routing {
  const { clock, timers, settings, gate, health, outcomes } = options;
  const { queue, wakes, occupancy, busyCooldown, stats, finder, waker } = createSelection(options);
  health.usable$.subscribe((accountId) => {
    queue.fleetChanged(accountId);
  });
  const accountLimits = {
    get requestsPerMinute() {
      return settings.accountRequestsPerMinute || null;
    },
    get tokensPerMinute() {
      return settings.accountTokensPerMinute || null;
    },
    get concurrency() {
      return settings.accountConcurrency || null;
    },
  };
  const rateLimits = new RateLimits(clock, accountLimits, options.queries);
  const decisions = new DecisionLog(
    clock,
    settings,
    ({ accountId, query }) => finder.survey(accountId, query),
    options.onExplained,
  );
  const tracker = new RequestTracker(stats, decisions, occupancy, clock, options.delays);
  const hedging = {
    budget: new HedgeBudget(settings.hedgeBudgetPercent),
    afterMs: settings.hedgeAfterMs,
    lateInMs: tracker.lateInMs.bind(tracker),
  };
  const context: RoutingContext = {
    gate,
    rateLimits,
    finder,
    occupancy,
    queue,
    waker,
    busyCooldown,
    health,
    live: new LiveRequests(),
    limits: settings,
    startedAtMs: clock.monotonicMs(),
    timers,
    clock,
    outcomes,
    stallInMs: (request) => tracker.stallInMs(request, settings.healthStallMs),
    hedging: settings.hedgeBudgetPercent === 0 ? null : hedging,
    lifecycle: options.traced === true ? new TracedLifecycle(tracker) : tracker,
    explainsInHeaders: settings.explainHeaders === 'on',
  };
  return { context, rateLimits, stats, decisions, wakes, waker };
}
