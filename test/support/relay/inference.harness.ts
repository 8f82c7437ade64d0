/** Inference requests with a fake fleet and a manual clock: every event on the link is one call of the test. */
import { ManualClock } from '../clock/manual-clock.js';
import { readChatEnvelope } from '../../../src/dialects/chat/envelope.js';
import { chatRequirements } from '../../../src/dialects/chat/requirements.js';
import type { FerryError } from '../../../src/kernel/errors/ferry-error.js';
import { createRequestId, type ApiKeyId, type NodeId } from '../../../src/kernel/ids.js';
import { LinkUnavailableError } from '../../../src/link/link-errors.js';
import { noKeyLimits, type KeyLimits } from '../../../src/relay/platform/access/caller.js';
import type { RateLimits } from '../../../src/relay/platform/limits/rate-limits.js';
import { createContext } from '../../../src/relay/platform/http/request-context.js';
import { TimerWheel } from '../../../src/relay/platform/timing/timer-wheel.js';
import type { Health } from '../../../src/relay/nodes/health/health-view.js';
import { NodeHealth } from '../../../src/relay/nodes/health/node-health.js';
import type { HealthLimits } from '../../../src/relay/nodes/health/circuit-breaker.js';
import { loadSettings } from '../../../src/kernel/settings/settings.js';
import { relaySettings } from '../../../src/relay/platform/config/relay-settings.js';
import { createRouting, type SelectionOptions } from '../../../src/relay/routing/create-routing.js';
import { HedgeBudget } from '../../../src/relay/routing/request/hedge-budget.js';
import type { RequestLifecycleListener } from '../../../src/relay/routing/request/request-lifecycle-listener.js';
import type { RoutingContext } from '../../../src/relay/routing/request/routing-context.js';
import type { InferenceLimits, RoutedRequest } from '../../../src/relay/routing/request/routed-request.js';
import { InferenceRequest } from '../../../src/relay/routing/request/inference-request.js';
import type { EligibilityQuery, FleetView } from '../../../src/relay/routing/selection/eligibility.js';
import { account, FakeFleet, FakeNode, type NodeTraits } from './routing-fleet.js';
import { HarnessClient } from './harness-client.js';
import { HarnessStream } from './harness-stream.js';

export const healthLimits: HealthLimits = {
  healthFailureThreshold: 3,
  healthProbeAfterMs: 5_000,
  healthProbeMaxMs: 60_000,
};

export interface InferenceHarnessOptions {
  readonly nodes?: Readonly<Record<string, NodeTraits>>;
  readonly limits?: Partial<InferenceLimits>;
  readonly queueLimit?: number;
  /** Absent: the node with the fewest requests. */
  readonly choice?: SelectionOptions['choice'];
  readonly health?: Partial<HealthLimits>;
  readonly accountLimits?: KeyLimits;
  /** A node counts as stalled after this time without a first event, unless it streams something else; absent: unknown. */
  readonly stallAfterMs?: number;
  /** Hedges for this percentage of requests whose first event is late; absent: none. */
  readonly hedging?: { readonly percent: number; readonly lateInMs: number | null };
  readonly lifecycle?: RequestLifecycleListener;
  /** Requests that have a trace are recorded. */
  readonly traced?: boolean;
  /** Nodes confirm when they have stopped. */
  readonly confirming?: boolean;
}

export class InferenceHarness {
  readonly clock = new ManualClock();
  readonly wheel = new TimerWheel({
    clock: this.clock,
    onError: (error) => {
      throw error;
    },
  });
  readonly streams: HarnessStream[] = [];
  readonly clients: HarnessClient[] = [];
  /** Nodes whose links accept nothing, although the registry does not know yet. */
  readonly brokenLinks = new Set<string>();
  closed: FerryError | null = null;
  readonly confirming: boolean;
  readonly fleet: FakeFleet;
  readonly rateLimits: RateLimits;
  readonly context: RoutingContext;
  private readonly openClients = new Map<string, HarnessClient>();

  constructor({
    nodes = { a: {}, b: {} },
    limits: overrides,
    queueLimit = 100,
    health,
    ...options
  }: InferenceHarnessOptions = {}) {
    this.confirming = options.confirming ?? false;
    this.fleet = new FakeFleet(Object.entries(nodes).map(([name, traits]) => this.node(name, traits)));
    const { accountLimits = noKeyLimits, stallAfterMs, hedging, lifecycle } = options;
    const nodeHealth = new NodeHealth({
      clock: this.clock,
      timers: this.wheel,
      limits: { ...healthLimits, ...health },
    });
    const { context, rateLimits } = createRouting({
      clock: this.clock,
      timers: this.wheel,
      // Selects the first of equal nodes: `a` before `b`.
      random: () => 0,
      choice: options.choice ?? 'least-busy',
      fleetOf: () => this.view,
      gate: () => this.closed,
      health: nodeHealth,
      outcomes: {
        record: (report) => {
          this.openClients.get(report.requestId)!.reports.push(report);
        },
        confirmed: (requestId, usage) => {
          this.openClients.get(requestId)!.confirmed.push(usage);
        },
      },
      traced: options.traced ?? false,
      settings: {
        ...loadSettings(relaySettings, {}).values,
        // The relay has run for long.
        nodesReturnWaitMs: 0,
        ...overrides,
        queueLimit,
        accountRequestsPerMinute: accountLimits.requestsPerMinute ?? 0,
        accountTokensPerMinute: accountLimits.tokensPerMinute ?? 0,
        accountConcurrency: accountLimits.concurrency ?? 0,
      },
    });
    this.rateLimits = rateLimits;
    this.context = {
      ...context,
      stallInMs: ({ timeline }) =>
        stallAfterMs === undefined ? null : Math.max(0, stallAfterMs - timeline.sinceDispatchMs),
      hedging:
        hedging === undefined
          ? null
          : { budget: new HedgeBudget(hedging.percent), afterMs: 100, lateInMs: () => hedging.lateInMs },
      ...(lifecycle && { lifecycle }),
    };
  }

  /** The newest attempt on a node. */
  get last(): HarnessStream {
    return this.streams.at(-1)!;
  }

  healthOf(node: string): Health {
    return this.context.health.worstOf(`nd_${node}` as NodeId);
  }

  stateOf(node: string): Health['state'] {
    return this.healthOf(node).state;
  }

  completeLast(): void {
    this.last.ack().begin().data().end();
  }

  /** One request that fails in the engine. */
  failOne(): HarnessClient {
    const client = this.send();
    this.last.ack().end('failed', { code: 'engine_error' });
    this.clock.advance(1);
    return client;
  }

  /** As many failures as the default threshold. */
  makeSuspect(): void {
    for (let failure = 0; failure < healthLimits.healthFailureThreshold; failure += 1) this.failOne();
  }

  private get view(): FleetView {
    const { fleet, context } = this;
    return {
      nodes: fleet.nodes,
      find: (model) => fleet.find(model),
      node: (nodeId) => fleet.node(nodeId),
      health: context.health,
    };
  }

  node(name: string, traits: NodeTraits = {}): FakeNode {
    const node = new FakeNode(name, {
      ...traits,
      open: (head, body, handler) => {
        if (this.brokenLinks.has(name)) throw new LinkUnavailableError('closed');
        const stream = new HarnessStream(name, head, body, handler);
        this.streams.push(stream);
        return {
          id: this.streams.length,
          consumed: (bytes) => {
            stream.credited += bytes;
          },
          reset: (reason, onStopped) => {
            stream.phase = 'closed';
            stream.resets.push(reason);
            stream.onStopped = this.confirming ? onStopped : undefined;
            return stream.onStopped !== undefined;
          },
        };
      },
    });
    node.openStreams = () => this.streams.filter((one) => one.node === name && one.phase !== 'closed').length;
    return node;
  }

  /** A request that only the node of this name can continue. */
  continueAt(name: string): HarnessClient {
    return this.send({}, { continuation: { pinnedNode: `nd_${name}` as NodeId, param: 'previous_response_id' } });
  }

  /** A request whose client reads from the start. */
  send(fields?: object, query?: Partial<EligibilityQuery>, routed?: Partial<RoutedRequest>): HarnessClient {
    const client = this.prepare(fields, query, routed);
    client.subscribe();
    return client;
  }

  /** A request that starts when its response is subscribed to. */
  prepare(
    fields: object = {},
    query: Partial<EligibilityQuery> = {},
    routed: Partial<RoutedRequest> = {},
  ): HarnessClient {
    const envelope = readChatEnvelope({
      model: 'tiny',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      ...fields,
    });
    const client = new HarnessClient();
    const context = createContext(createRequestId(), { ms: 0, bytes: 0 });
    this.openClients.set(context.requestId, client);
    client.request = new InferenceRequest(
      {
        context,
        accountId: account,
        keyPublicId: 'key' as ApiKeyId,
        query: {
          pin: null,
          scope: null,
          model: envelope.model,
          dialect: 'chat',
          requirements: chatRequirements(envelope.body),
          ...query,
        },
        stream: envelope.stream,
        headers: {},
        ...routed,
      },
      {
        raw: Buffer.from('the body'),
        release: () => {
          client.bodyReleases += 1;
        },
      },
      this.clients.length,
      this.context,
    );
    this.clients.push(client);
    return client;
  }

  /** Advances the clock in the ticks of the timer wheel, as in production. */
  pass(ms: number): void {
    const until = this.clock.nowMs + ms + 60;
    while (this.clock.nowMs < until) {
      this.clock.advance(Math.min(until - this.clock.nowMs, Math.max(20, Math.ceil(ms / 50))));
      this.wheel.advance();
    }
  }

  fleetChanged(): void {
    this.context.queue.fleetChanged(account);
  }

  /** Everything that could leak, after busy cooldowns have expired. */
  leftovers(): Record<string, number> {
    this.pass(1_000);
    const { live, occupancy, queue } = this.context;
    const permits = this.rateLimits.runningIn(account);
    // Each suspicion ends with a probe or by expiry.
    const timers = this.wheel.size - this.context.health.suspicions;
    return { live: live.size, slots: occupancy.size, queued: queue.size, permits, timers };
  }
}

export const nothingLeft = { live: 0, slots: 0, queued: 0, permits: 0, timers: 0 };
