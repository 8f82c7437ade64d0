import type { Provider } from '@nestjs/common';
import { systemClock } from '../../kernel/clock.js';
import { Catalogue } from '../inventory/catalogue.js';
import { NodeHealth } from '../nodes/health/node-health.js';
import { ReachableNodes } from '../nodes/registry/reachable-nodes.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ConcurrencyQueries } from '../platform/limits/concurrency-queries.js';
import { RateLimits } from '../platform/limits/rate-limits.js';
import { OverloadGuard } from '../platform/lifecycle/overload-guard.js';
import { TimerWheel } from '../platform/timing/timer-wheel.js';
import { RelayTraces } from '../platform/tracing/relay-traces.js';
import { createRouting, type Routing } from './create-routing.js';
import { DecisionLog } from './explain/decision-log.js';
import { ExplanationRecorder } from './explain/explanation-recorder.js';
import { OutcomeRecorder } from './request/outcome-recorder.js';
import { RequestGate } from './request-gate.js';
import { RoutingStats } from './selection/routing-stats.js';
import type { AccountId, NodeId } from '../../kernel/ids.js';
import type { ModelLookup } from '../inventory/model-entry.js';
import type { OnlineNode } from '../nodes/registry/online-node.js';
import type { FleetView } from './selection/eligibility.js';

/** An account's nodes and models. A class: every request makes one, and closures would be made anew with it. */
class AccountFleet implements FleetView {
  constructor(
    private readonly accountId: AccountId,
    private readonly reachable: Pick<ReachableNodes, 'onlineIn' | 'find'>,
    private readonly catalogue: Pick<Catalogue, 'find'>,
    readonly health: NodeHealth,
  ) {}

  get nodes(): Iterable<OnlineNode> {
    return this.reachable.onlineIn(this.accountId);
  }

  find(model: string): ModelLookup {
    return this.catalogue.find(this.accountId, model);
  }

  node(nodeId: NodeId): OnlineNode | undefined {
    return this.reachable.find(this.accountId, nodeId);
  }
}

/** Token of {@link Routing}. */
export const ROUTING = Symbol('ferry.routing');

const routingOf = (
  nodes: ReachableNodes,
  catalogue: Catalogue,
  gate: RequestGate,
  timers: TimerWheel,
  health: NodeHealth,
  queries: ConcurrencyQueries,
  outcomes: OutcomeRecorder,
  explanations: ExplanationRecorder,
  traces: RelayTraces,
  overload: OverloadGuard,
  { settings, replicated }: RelayConfig,
): Routing =>
  createRouting({
    clock: systemClock,
    timers,
    random: Math.random,
    fleetOf: (accountId) => new AccountFleet(accountId, nodes, catalogue, health),
    gate: (routed) => gate.refusal(routed),
    health,
    outcomes,
    delays: overload,
    onExplained: (trace) => {
      explanations.record(trace);
    },
    settings,
    queries: replicated ? queries : null,
    traced: traces.tracer !== undefined,
  });

/** The state of routing, and those of its parts that features read by themselves. */
export const routingProviders: Provider[] = [
  RequestGate,
  {
    provide: ROUTING,
    inject: [
      ReachableNodes,
      Catalogue,
      RequestGate,
      TimerWheel,
      NodeHealth,
      ConcurrencyQueries,
      OutcomeRecorder,
      ExplanationRecorder,
      RelayTraces,
      OverloadGuard,
      RELAY_CONFIG,
    ],
    useFactory: routingOf,
  },
  { provide: RateLimits, inject: [ROUTING], useFactory: ({ rateLimits }: Routing) => rateLimits },
  { provide: DecisionLog, inject: [ROUTING], useFactory: ({ decisions }: Routing) => decisions },
  { provide: RoutingStats, inject: [ROUTING], useFactory: ({ stats }: Routing) => stats },
];
