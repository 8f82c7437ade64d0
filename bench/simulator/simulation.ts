import type { ApiKeyId, ModelSelector } from '../../src/kernel/ids.js';
import type { AdmissionQueue } from '../../src/relay/routing/admission/admission-queue.js';
import type { ModelHost, Waiting } from '../../src/relay/routing/admission/waiting.js';
import { noCachedPrompt } from '../../src/relay/routing/affinity/affinity-cache.js';
import type { Occupancy } from '../../src/relay/routing/admission/occupancy.js';
import { createSelection, type Selection } from '../../src/relay/routing/create-routing.js';
import { slotAt } from '../../src/relay/routing/selection/capacity.js';
import { BatchingEngine } from './batching-engine.js';
import { createPolicy, type Policy, type PolicyTraits, type SimulatedRequest } from './policy.js';
import { seeded } from './random.js';
import { SharingEngine } from './sharing-engine.js';
import { account, SimulatedFleet, SimulatedNode } from './simulated-node.js';
import { VirtualTime } from './virtual-time.js';
import type { Conversation, Workload } from './workload.js';

/** The outcome of one request. */
export interface Course {
  readonly request: SimulatedRequest;
  readonly arrivedAtMs: number;
  readonly endedAtMs: number;
  readonly outcome: 'completed' | 'gave_up' | 'rejected';
  /** null: it never reached a node. */
  readonly node: string | null;
  readonly queuedMs: number;
  /** Prompt tokens that the node had cached. */
  readonly cachedTokens: number;
  /** The node was wedged when the request arrived, or while it ran. */
  readonly wedged: boolean;
}

/** The relay ends a response without progress for this long (the default of the setting). */
const EVENT_IDLE_TIMEOUT_MS = 120_000;

/** Queue limit above the size of any workload, because the simulation does not examine it. */
const QUEUE_LIMIT = 100_000;
const AFFINITY_KEYS = 10_000;

/** Selection uses a timer only for nodes that reject a request as busy, which simulated ones never do. */
const noTimers = {
  schedule: (): never => {
    throw new Error('no timer is needed');
  },
};

/** Runs all conversations with the fleet of the workload in virtual time. */
export function simulate(
  workload: Workload,
  conversations: readonly Conversation[],
  traits: PolicyTraits,
  seed: number,
): Course[] {
  const simulation = new Simulation(workload, traits, seed);
  for (const [index, conversation] of conversations.entries())
    simulation.hold(conversation, `conversation-${seed}-${index}`);
  return simulation.run();
}

class Simulation {
  readonly time = new VirtualTime();
  readonly queue: AdmissionQueue;
  readonly waker: Selection['waker'];
  readonly occupancy: Occupancy<unknown>;
  readonly policy: Policy;
  readonly courses: Course[] = [];
  private readonly nodes: ReadonlyMap<string, SimulatedNode>;
  private arrivals = 0;

  constructor(
    readonly workload: Workload,
    traits: PolicyTraits,
    seed: number,
  ) {
    const noise = seeded(seed ^ 0xe4913e);
    const nodes = workload.fleet.map((one) => {
      const batching = workload.engine === 'batching';
      const engine = batching ? new BatchingEngine(one, this.time, noise) : new SharingEngine(one, this.time);
      return new SimulatedNode(one, engine);
    });
    this.nodes = new Map(nodes.map((node) => [node.name, node]));
    const fleet = new SimulatedFleet(nodes);
    // A random sequence separate from that of the workload, and equal for every policy.
    const random = seeded(seed ^ 0x5eed);
    const selection = createSelection({
      clock: this.time,
      timers: noTimers,
      random,
      fleetOf: () => fleet,
      choice: 'opponent' in traits ? 'least-busy' : traits.choice,
      settings: { queueLimit: QUEUE_LIMIT, affinityKeys: AFFINITY_KEYS },
    });
    this.queue = selection.queue;
    this.waker = selection.waker;
    this.occupancy = selection.occupancy;
    this.policy =
      'opponent' in traits ? new traits.opponent({ nodes, random, clock: this.time }) : createPolicy(selection, traits);
  }

  hold(conversation: Conversation, conversationId: string, turnNumber = 0): void {
    const turn = conversation.turns[turnNumber];
    if (turn === undefined) return;
    const request = { id: `${conversationId}-${turnNumber}`, conversationId, conversation, turn, turnNumber };
    const delayMs = turnNumber === 0 ? conversation.atMs : turn.thinkMs;
    this.time.after(delayMs, () => {
      new Visit(request, this.arrivals++, this, () => {
        this.hold(conversation, conversationId, turnNumber + 1);
      }).place();
    });
  }

  node(name: string): SimulatedNode {
    const node = this.nodes.get(name);
    if (node === undefined) throw new Error(`no node ${name}`);
    return node;
  }

  run(): Course[] {
    this.time.run();
    return this.courses;
  }
}

/** One request: queued, at a node, or done. */
class Visit implements Waiting {
  readonly accountId = account;
  private readonly arrivedAtMs: number;
  private state: 'waiting' | 'running' | 'over' = 'waiting';
  private node: SimulatedNode | null = null;
  private sentAtMs = 0;
  private firstEventMs: number | null = null;
  private cachedTokens = 0;
  private stop: (() => void) | null = null;
  private cachedPrompt = noCachedPrompt;
  private queued = false;
  private stalled = false;

  constructor(
    private readonly request: SimulatedRequest,
    readonly arrival: number,
    private readonly simulation: Simulation,
    private readonly next: () => void,
  ) {
    this.arrivedAtMs = simulation.time.monotonicMs();
  }

  get keyPublicId(): ApiKeyId {
    return this.request.conversation.key as ApiKeyId;
  }

  cachedPromptTokensOn(node: ModelHost, selector: ModelSelector): number {
    return this.cachedPrompt.tokensOn(node, selector);
  }

  tryStart(): boolean {
    if (this.state !== 'waiting') return false;
    this.place();
    return this.node !== null;
  }

  place(): void {
    const { policy, queue, workload, time } = this.simulation;
    const found = policy.find(this.request);
    if (found.kind === 'free') {
      if (this.queued) queue.leave(this);
      this.start(this.simulation.node(found.placement.node.name));
      return;
    }
    if (found.kind === 'full') this.cachedPrompt = found.cachedPrompt;
    if (!this.queued) {
      this.queued = queue.join(this, 'mdl_0000000000000000' as ModelSelector);
      time.after(workload.queueTimeoutMs, () => {
        if (this.state === 'waiting') this.end('rejected');
      });
    }
  }

  private start(node: SimulatedNode): void {
    const { policy, occupancy, workload, time } = this.simulation;
    this.state = 'running';
    this.node = node;
    this.sentAtMs = time.monotonicMs();
    occupancy.move(this.request, slotAt(node.placement));
    policy.dispatched(this.request, node.placement);
    const { turn, conversation, conversationId } = this.request;
    const { group, systemTokens } = conversation;
    const { promptTokens, outputTokens } = turn;
    time.after(node.roundTripMs / 2, () => {
      if (this.state === 'over') return;
      this.stop = node.engine.start(
        { conversation: conversationId, group, systemTokens, promptTokens, outputTokens },
        {
          begun: (cached) => {
            this.cachedTokens = cached;
            this.firstEventMs = time.monotonicMs() - this.sentAtMs - node.roundTripMs / 2;
            policy.begun(this.request);
            this.watchForSilence();
          },
          finished: () => {
            this.end('completed');
          },
        },
      );
    });
    time.after(workload.firstEventPatienceMs, () => {
      if (this.firstEventMs === null) this.end('gave_up');
    });
    time.after(workload.patienceMs, () => {
      this.end('gave_up');
    });
  }

  /** A simulated node stops in the middle of a response only when it wedges. */
  private watchForSilence(): void {
    const { time, workload } = this.simulation;
    const wedgesAtMs = workload.fleet.find(({ name }) => name === this.node?.name)?.wedgesAtMs;
    if (wedgesAtMs === undefined) return;
    time.after(wedgesAtMs - time.monotonicMs() + EVENT_IDLE_TIMEOUT_MS, () => {
      this.stalled = true;
      this.end('gave_up');
    });
  }

  private end(outcome: Course['outcome']): void {
    if (this.state === 'over') return;
    const { policy, occupancy, queue, waker, time, courses } = this.simulation;
    const wasRunning = this.state === 'running';
    const nowMs = time.monotonicMs();
    if (this.queued) queue.leave(this);
    this.state = 'over';
    this.stop?.();
    occupancy.move(this.request, null);
    const { node, request, cachedTokens, firstEventMs, arrivedAtMs } = this;
    if (wasRunning) {
      policy.ended(request, {
        completed: outcome === 'completed',
        stalled: this.stalled,
        firstEventMs,
        totalMs: nowMs - this.sentAtMs - (node?.roundTripMs ?? 0) / 2,
        inputTokens: request.turn.promptTokens,
        cachedTokens,
        outputTokens: request.turn.outputTokens,
      });
    }
    courses.push({
      request,
      arrivedAtMs,
      endedAtMs: nowMs + (outcome === 'completed' ? (node?.roundTripMs ?? 0) / 2 : 0),
      outcome,
      node: node?.name ?? null,
      queuedMs: (wasRunning ? this.sentAtMs : nowMs) - arrivedAtMs,
      cachedTokens,
      wedged: node?.engine.wedged === true,
    });
    if (node !== null) waker.slotFreed(account, slotAt(node.placement));
    this.next();
  }
}
