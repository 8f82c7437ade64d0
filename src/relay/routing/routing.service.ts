import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { systemClock } from '../../kernel/clock.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { AccountId } from '../../kernel/ids.js';
import { Catalogue } from '../inventory/catalogue.js';
import { KeyRevocations } from '../keys/key-revocations.js';
import { NodeRegistry } from '../nodes/registry/node-registry.js';
import type { NodeChange } from '../nodes/registry/online-node.js';
import { RateLimits } from '../limits/rate-limits.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import type { RelaySettings } from '../platform/config/relay-settings.js';
import type { AnswerSource } from '../platform/http/answer-source.js';
import { DrainRegistry } from '../platform/lifecycle/drain-registry.js';
import { GcTuning } from '../platform/http/fast-path/gc-tuning.js';
import { TimerWheel } from '../platform/timing/timer-wheel.js';
import { AdmissionQueue, WakeCoalescer } from './admission/admission-queue.js';
import { BusyCooldown } from './admission/busy-cooldown.js';
import { NodeHealth } from '../nodes/health/node-health.js';
import { RequestLifecycleListeners } from './explain/request-lifecycle-listeners.js';
import { DecisionLog } from './explain/decision-log.js';
import { RoutingStats } from './selection/routing-stats.js';
import type { FleetView } from './selection/eligibility.js';
import { HedgeBudget } from './request/hedge-budget.js';
import type { Hedging } from './request/hedging.js';
import type { RoutingContext } from './request/routing-context.js';
import type { RoutedRequest, RoutedRequestBody } from './request/routed-request.js';
import { InferenceRequest } from './request/inference-request.js';
import { LiveRequests, type LiveRequest } from './request/live-requests.js';
import { Occupancy } from './admission/occupancy.js';
import { OutcomeSinks } from './request/outcome-sinks.js';
import { PlacementFinder } from './selection/placement-finder.js';

const GC_CHECK_MS = 1_000;
/** A quarter of an hour: a small heap slows down the requests that make it grow again. */
const IDLE_CHECKS_UNTIL_SMALL_HEAP = 900;

/** Where the protocols hand in what they understood, and get an answer on its way. */
@Injectable()
export class RoutingService implements OnModuleInit, OnApplicationShutdown {
  private readonly context: RoutingContext;
  private readonly stats: RoutingStats;
  private readonly decisions: DecisionLog;
  private readonly wakes: WakeCoalescer;
  private readonly logger = new Logger('Routing');
  private readonly gc: GcTuning | undefined;
  private gcChecks: NodeJS.Timeout | undefined;
  private arrivals = 0;
  private draining = false;

  constructor(
    private readonly nodes: NodeRegistry,
    private readonly catalogue: Catalogue,
    private readonly revocations: KeyRevocations,
    private readonly drains: DrainRegistry,
    private readonly timers: TimerWheel,
    private readonly health: NodeHealth,
    outcomes: OutcomeSinks,
    @Inject(RELAY_CONFIG) { settings }: RelayConfig,
  ) {
    this.gc = settings.fastPath === 'on' ? new GcTuning(IDLE_CHECKS_UNTIL_SMALL_HEAP) : undefined;
    const queue = new AdmissionQueue(settings.queueLimit);
    const occupancy = new Occupancy<object>();
    const busyCooldown = new BusyCooldown(timers, (accountId) => {
      queue.fleetChanged(accountId);
    });
    this.wakes = new WakeCoalescer((accountId) => {
      queue.fleetChanged(accountId);
    });
    this.stats = new RoutingStats(systemClock, settings, (accountId) => {
      this.wakes.fleetChanged(accountId);
    });
    const finder = new PlacementFinder({
      fleetOf: (accountId) => this.fleetOf(accountId),
      occupancy,
      busyCooldown,
      random: Math.random,
      costing: this.stats.costing,
      learnedSlots: this.stats.slots,
    });
    this.decisions = new DecisionLog(systemClock, settings, ({ accountId, query }) => finder.survey(accountId, query));
    const lifecycle = new RequestLifecycleListeners(this.stats, this.decisions, occupancy, () =>
      systemClock.monotonicMs(),
    );
    this.context = {
      gate: (routed) => this.refusal(routed),
      rateLimits: new RateLimits(systemClock, {
        requestsPerMinute: settings.accountRequestsPerMinute || null,
        tokensPerMinute: settings.accountTokensPerMinute || null,
        concurrency: settings.accountConcurrency || null,
      }),
      finder,
      occupancy,
      queue,
      busyCooldown,
      health,
      live: new LiveRequests(),
      limits: settings,
      timers,
      clock: systemClock,
      outcomes,
      stallInMs: (request) => lifecycle.stallInMs(request, settings.healthStallMs),
      lifecycle,
      ...(settings.hedgeBudgetPercent === 0 ? {} : { hedging: hedgingOf(settings, lifecycle) }),
      explainsInHeaders: settings.explainHeaders === 'on',
    };
  }

  onModuleInit(): void {
    this.nodes.changes$.subscribe((change) => {
      this.nodeChanged(change);
      this.wakes.fleetChanged(change.accountId);
    });
    this.health.usable$.subscribe((accountId) => {
      this.context.queue.fleetChanged(accountId);
    });
    this.revocations.revoked$.subscribe(({ keyPublicId }) => {
      for (const request of this.context.live) {
        if (request.routed.keyPublicId !== keyPublicId) continue;
        request.abort('cancelled', 'invalid_credential', 'The API key was revoked.', 'revoked');
      }
    });
    this.drains.register({ name: 'inference', drain: (deadlineMs) => this.drain(deadlineMs) });
    const { gc } = this;
    if (gc === undefined) return;
    this.gcChecks = setInterval(() => {
      gc.check(this.context.live.size);
    }, GC_CHECK_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.gcChecks);
  }

  /** Why the last requests went where they went. */
  get explanations(): Pick<DecisionLog, 'find' | 'newest'> {
    return this.decisions;
  }

  /** Nothing happens until somebody subscribes to the answer's bytes. */
  accept(routed: RoutedRequest, body: RoutedRequestBody): AnswerSource {
    this.gc?.requestArrived();
    return new InferenceRequest(routed, body, this.arrivals++, this.context);
  }

  private nodeChanged({ accountId, nodeId, kind }: NodeChange): void {
    const { health } = this;
    switch (kind) {
      case 'connected':
        health.renewed(nodeId);
        this.stats.recovered(nodeId);
        return;
      case 'inventory':
      case 'status': {
        // Each slot that is taken is a status: nearly always there is nothing to do.
        const node = health.size === 0 ? undefined : this.nodes.find(accountId, nodeId);
        if (node !== undefined) health.reported(node);
        return;
      }
      case 'disconnected':
        this.stats.slots.forget(nodeId);
        return;
      case 'revoked':
        health.renewed(nodeId);
        this.stats.forget(nodeId);
        this.stats.slots.forget(nodeId);
        return;
      default:
        kind satisfies never;
    }
  }

  private fleetOf(accountId: AccountId): FleetView {
    return {
      nodes: this.nodes.onlineIn(accountId),
      find: (model) => this.catalogue.find(accountId, model),
      health: this.health,
    };
  }

  private refusal({ keyPublicId }: RoutedRequest): FerryError | null {
    if (this.draining) return new FerryError('draining');
    // Between the check of the credential and here a body was read: that can take minutes.
    return this.revocations.wasRevoked(keyPublicId) ? new FerryError('invalid_credential') : null;
  }

  /** What runs may finish until the deadline. What waits is sent away at once: the nodes are told to go, too. */
  private async drain(deadlineMs: number): Promise<void> {
    this.draining = true;
    for (const request of this.context.live) if (request.waiting) abortForDrain(request);
    const deadline = this.timers.schedule(Math.max(0, deadlineMs - systemClock.monotonicMs()), () => {
      for (const request of this.context.live) abortForDrain(request);
    });
    await this.context.live.empty();
    deadline.cancel();
  }
}

const hedgingOf = (
  { hedgeBudgetPercent, hedgeAfterMs }: RelaySettings,
  lifecycle: RequestLifecycleListeners,
): Hedging => ({
  budget: new HedgeBudget(hedgeBudgetPercent),
  afterMs: hedgeAfterMs,
  lateInMs: (request) => lifecycle.lateInMs(request),
});

const abortForDrain = (request: LiveRequest): void => {
  request.abort('failed', 'draining', 'The relay is shutting down.', 'draining');
};
