import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { systemClock } from '../../kernel/clock.js';
import { protocols } from '../../dialects/protocols.js';
import type { AccountId, RequestId } from '../../kernel/ids.js';
import { KeyRevocations } from '../keys/key-revocations.js';
import type { Placement } from '../inventory/model-entry.js';
import { ReachableNodes } from '../nodes/registry/reachable-nodes.js';
import type { NodeChange } from '../nodes/registry/online-node.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import type { ResponseSource } from '../platform/http/response-source.js';
import { BodyBudget } from '../platform/http/body/body-budget.js';
import { DrainRegistry } from '../platform/lifecycle/drain-registry.js';
import { GcTuning } from '../platform/http/fast-path/gc-tuning.js';
import { TimerWheel } from '../platform/timing/timer-wheel.js';
import { NodeHealth } from '../nodes/health/node-health.js';
import type { Routing } from './create-routing.js';
import { DividedInference } from './divided/divided-inference.js';
import type { RequestToken } from './admission/request-token.js';
import { slotAt } from './selection/capacity.js';
import type { RoutedRequest, RoutedRequestBody } from './request/routed-request.js';
import { InferenceRequest } from './request/inference-request.js';
import type { LiveRequest } from './request/live-requests.js';
import { RequestGate } from './request-gate.js';
import { ROUTING } from './routing-providers.js';

/** A node computes one part while the next one travels. */
const PARTS_AT_ONCE_PER_NODE = 2;
const MAX_PARALLEL_PARTS = 64;
/** A quarter of an hour: a small heap slows down the requests that make it grow again. */
const IDLE_CHECKS_UNTIL_SMALL_HEAP = 900;

/** Accepts parsed requests from the protocols, and connects routing to nodes, key revocation and drain. */
@Injectable()
export class RoutingService implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly settings: RelayConfig['settings'];
  private readonly gc: GcTuning | undefined;
  private arrivals = 0;

  constructor(
    @Inject(ROUTING) private readonly routing: Routing,
    private readonly gate: RequestGate,
    private readonly nodes: ReachableNodes,
    private readonly revocations: KeyRevocations,
    private readonly drains: DrainRegistry,
    private readonly timers: TimerWheel,
    private readonly health: NodeHealth,
    private readonly bodies: BodyBudget,
    @Inject(RELAY_CONFIG) { settings }: RelayConfig,
  ) {
    this.settings = settings;
    this.gc = settings.fastPath === 'on' ? new GcTuning(IDLE_CHECKS_UNTIL_SMALL_HEAP) : undefined;
  }

  onModuleInit(): void {
    this.nodes.changes$.subscribe((change) => {
      this.nodeChanged(change);
      if (change.kind !== 'status') this.routing.wakes.fleetChanged(change.accountId);
    });
    this.revocations.revoked$.subscribe(({ keyPublicId }) => {
      for (const request of this.routing.context.live) {
        if (request.routed.keyPublicId !== keyPublicId) continue;
        request.abort('cancelled', 'invalid_credential', 'The API key was revoked.', 'revoked');
      }
    });
    this.drains.register({ name: 'inference', drain: (deadlineMs) => this.drain(deadlineMs) });
    this.gc?.watch(() => this.routing.context.live.size);
  }

  /** A start may take longer than requests wait for nodes that reconnect. */
  onApplicationBootstrap(): void {
    const { context } = this.routing;
    context.startedAtMs = context.clock.monotonicMs();
  }

  onApplicationShutdown(): void {
    this.gc?.stop();
  }

  /** The requests of an account that have not ended, oldest first. */
  running(accountId: AccountId): readonly LiveRequest[] {
    return [...this.routing.context.live]
      .filter((request) => request.routed.accountId === accountId)
      .sort((a, b) => b.timeline.totalMs - a.timeline.totalMs);
  }

  /** Undefined when it has ended, or is no request of the account. */
  findRunning(accountId: AccountId, id: RequestId): LiveRequest | undefined {
    for (const request of this.routing.context.live)
      if (request.routed.accountId === accountId && request.routed.context.requestId === id) return request;
    return undefined;
  }

  /** Stops a running request for a person of its account. */
  stop(request: LiveRequest): void {
    request.abort('cancelled', 'request_stopped', 'The request was stopped by a user of the account.', 'cancelled');
  }

  /**
   * Counts a request of another replica among those at its engine.
   * @param token its key, for {@link freeSlot}
   * @returns false when all slots are in use
   */
  takeSlot(token: RequestToken, placement: Placement): boolean {
    const { finder, occupancy } = this.routing.context;
    if (!finder.hasSlot(placement)) return false;
    occupancy.move(token, slotAt(placement));
    return true;
  }

  freeSlot(token: RequestToken, accountId: AccountId): void {
    const slot = this.routing.context.occupancy.move(token, null);
    if (slot !== null) this.routing.waker.slotFreed(accountId, slot);
  }

  /** Nothing happens until the bytes of the response are subscribed to. */
  accept(routed: RoutedRequest, body: RoutedRequestBody): ResponseSource {
    this.gc?.requestArrived();
    return new InferenceRequest(routed, body, this.arrivals++, this.routing.context);
  }

  /**
   * The same for a request with several inputs, which nodes may serve in parts.
   * @param inputs so many
   */
  acceptInputs(routed: RoutedRequest, body: RoutedRequestBody, inputs: number): ResponseSource {
    const nodes = this.nodesFor(routed);
    const request = protocols[routed.query.dialect].divide?.(body.raw, inputs, nodes);
    if (request === undefined) return this.accept(routed, body);
    const parallel = Math.min(MAX_PARALLEL_PARTS, Math.max(1, nodes) * PARTS_AT_ONCE_PER_NODE);
    const limitBytes = this.settings.embeddingsResponseBytes;
    const memory = this.bodies.open(routed.accountId);
    return new DividedInference(routed, body, this.arrivals++, this.routing.context, {
      request,
      parallel,
      limitBytes,
      memory,
    });
  }

  private nodesFor({ accountId, query }: RoutedRequest): number {
    const { candidates } = this.routing.context.finder.survey(accountId, query);
    return candidates.filter(({ reason }) => reason === 'eligible').length;
  }

  private nodeChanged({ accountId, nodeId, kind }: NodeChange): void {
    const { health } = this;
    switch (kind) {
      case 'connected':
        health.renewed(nodeId);
        this.routing.stats.recovered(nodeId);
        return;
      case 'inventory':
      case 'status': {
        const node = this.nodes.find(accountId, nodeId);
        if (node === undefined) return;
        this.routing.context.busyCooldown.reported(node);
        // Every change of a slot is a status: nearly always there is nothing to do.
        if (health.size > 0) health.reported(node);
        if (kind === 'status') this.routing.waker.reported(node);
        return;
      }
      case 'disconnected':
        this.routing.stats.slots.forget(nodeId);
        return;
      case 'revoked':
        health.renewed(nodeId);
        this.routing.stats.forget(nodeId);
        this.routing.stats.slots.forget(nodeId);
        return;
      default:
        kind satisfies never;
    }
  }

  /** Running requests may finish until the deadline. Waiting ones are refused at once, because the nodes are disconnected, too. */
  private async drain(deadlineMs: number): Promise<void> {
    this.gate.close();
    for (const request of this.routing.context.live) if (request.waiting) abortForDrain(request);
    const deadline = this.timers.schedule(Math.max(0, deadlineMs - systemClock.monotonicMs()), () => {
      for (const request of this.routing.context.live) abortForDrain(request);
    });
    await this.routing.context.live.empty();
    deadline.cancel();
  }
}

const abortForDrain = (request: LiveRequest): void => {
  request.abort('failed', 'draining', 'The relay is shutting down.', 'draining');
};
