import { chatRequirements } from '../../src/dialects/chat/requirements.js';
import { systemClock } from '../../src/kernel/clock.js';
import { createRequestId, type ApiKeyId, type ClusterId } from '../../src/kernel/ids.js';
import { loadSettings } from '../../src/kernel/settings/settings.js';
import { NodeHealth } from '../../src/relay/nodes/health/node-health.js';
import { relaySettings } from '../../src/relay/platform/config/relay-settings.js';
import { createContext } from '../../src/relay/platform/http/request-context.js';
import { TimerWheel } from '../../src/relay/platform/timing/timer-wheel.js';
import { profileOf } from '../../src/relay/protocols/understood-request.js';
import { createRouting, type Routing } from '../../src/relay/routing/create-routing.js';
import { InferenceRequest } from '../../src/relay/routing/request/inference-request.js';
import type { RoutedRequest } from '../../src/relay/routing/request/routed-request.js';
import { unknownProfile, type RequestProfile } from '../../src/relay/routing/selection/costing.js';
import { slotAt } from '../../src/relay/routing/selection/capacity.js';
import { account, LargeFleet, modelName } from './large-fleet.js';

export interface Scale {
  readonly nodes: number;
  readonly models: number;
  readonly waiting: number;
  readonly slots: number;
}

const response = {
  completed: true,
  faultSubject: null,
  firstEventMs: 300,
  inputTokens: 500,
  cachedTokens: 0,
  outputTokens: 100,
} as const;
const BODY_BYTES = 1_000;
const timers = new TimerWheel();
const requirements = chatRequirements({ model: '', messages: [] });

/** The relay's routing with a large fleet whose engines other requests keep busy, as far as the caller says. */
export class RoutingAtScale {
  readonly fleet: LargeFleet;
  readonly routing: Routing;
  private readonly holders: object[][];
  private readonly requests = new Set<InferenceRequest>();
  private arrivals = 0;

  constructor(private readonly scale: Scale) {
    this.fleet = new LargeFleet(scale.nodes, scale.models, scale.slots);
    this.routing = createRouting({
      clock: systemClock,
      timers,
      random: Math.random,
      fleetOf: () => this.fleet,
      gate: () => null,
      health: new NodeHealth({
        clock: systemClock,
        timers,
        limits: { healthFailureThreshold: 3, healthProbeAfterMs: 5_000, healthProbeMaxMs: 60_000 },
      }),
      outcomes: { record: () => undefined, confirmed: () => undefined },
      settings: { ...loadSettings(relaySettings, {}).values, queueLimit: scale.waiting, queueTimeoutMs: 3_600_000 },
    });
    this.holders = this.fleet.nodes.map(() => Array.from({ length: scale.slots }, () => ({})));
  }

  /** How many slots of a node other requests use. */
  occupy(index: number, slots: number): void {
    const node = this.fleet.nodes[index];
    const report = node?.models.values().next().value;
    if (node === undefined || report === undefined) throw new Error(`no node ${index}`);
    const slot = slotAt({ node, report });
    for (const [at, holder] of (this.holders[index] ?? []).entries())
      this.routing.context.occupancy.move(holder, at < slots ? slot : null);
  }

  occupyAll(slotsOf: (index: number) => number): void {
    for (const index of this.fleet.nodes.keys()) this.occupy(index, slotsOf(index));
  }

  /** Every node has answered a request for the first `models` models, the nodes at different speeds. */
  learnSpeeds(models: number): void {
    const { stats } = this.routing;
    for (const [index, node] of this.fleet.nodes.entries()) {
      for (const report of [...node.models.values()].slice(0, models)) {
        const record = stats.sent({ placement: { node, report }, cachedPromptTokens: 0 }, unknownProfile, 0);
        stats.begun(record);
        stats.ended(record, 0, { ...response, totalMs: 2_000 + (index % 100) * 20 });
      }
    }
  }

  /** Requests for the models in turn, which wait because all engines are full. @param cluster null: of no cluster in particular */
  enqueue(cluster: ClusterId | null = null): void {
    for (let index = 0; index < this.scale.waiting; index += 1) this.ask(index, cluster);
    const { size } = this.routing.context.queue;
    if (size !== this.scale.waiting) throw new Error(`${size} requests wait instead of ${this.scale.waiting}`);
  }

  /** A request that starts or waits. */
  ask(index: number, cluster: ClusterId | null = null): InferenceRequest {
    const { query, profile } = this.question(index, cluster);
    const request = new InferenceRequest(
      {
        context: createContext(createRequestId(), { ms: 0, bytes: 0 }),
        accountId: account,
        keyPublicId: `key_${index % 5}` as ApiKeyId,
        query,
        stream: true,
        headers: {},
        profile,
      },
      { raw: Buffer.alloc(BODY_BYTES), release: () => undefined },
      this.arrivals++,
      this.routing.context,
    );
    this.requests.add(request);
    request.bytes$.subscribe({ error: () => this.requests.delete(request) });
    return request;
  }

  /** What a request asks for, of a conversation of its own. */
  question(
    index: number,
    cluster: ClusterId | null = null,
  ): Pick<RoutedRequest, 'query'> & { profile: RequestProfile } {
    const envelope = { dialect: 'chat', model: modelName(index % this.scale.models), stream: true } as const;
    const body = {
      messages: [
        { role: 'system', content: 'You are a helpful assistant. '.repeat(20) },
        { role: 'user', content: `Question ${index}: tell me about rivers. ` },
      ],
    };
    return {
      query: { pin: cluster, scope: cluster === null ? null : new Set([cluster]), ...envelope, requirements },
      profile: profileOf({}, envelope, body, BODY_BYTES, requirements),
    };
  }

  /** The clients of all requests that run now leave. */
  stopRunning(): void {
    for (const request of [...this.requests].filter(({ waiting }) => !waiting)) stop(request);
  }

  /** Ends all requests; nothing starts meanwhile. */
  clear(): void {
    for (const request of this.requests) if (request.waiting) stop(request);
    for (const request of this.requests) stop(request);
  }
}

/** As a client that leaves. */
const stop = (request: InferenceRequest): void => {
  request.abort('cancelled', 'request_stopped', 'stopped', 'cancelled');
};
