import { Subject } from 'rxjs';
import type { Clock } from '../../../kernel/clock.js';
import type { AccountId, NodeId } from '../../../kernel/ids.js';
import type { OnlineNode } from '../registry/online-node.js';
import type { TimerWheel } from '../../platform/timing/timer-wheel.js';
import { isFailure, type HealthVerdict, type SharedVerdict } from './health-verdict.js';
import { healthy, type Health, type HealthView, type NodeHealthState } from './health-view.js';
import { CircuitBreaker, type HealthLimits } from './circuit-breaker.js';

export interface NodeHealthOptions {
  readonly clock: Clock;
  readonly timers: Pick<TimerWheel, 'schedule'>;
  readonly limits: HealthLimits;
  /** @param modelKey null: the node itself */
  readonly onChange?: (nodeId: NodeId, modelKey: string | null, health: Health) => void;
}

/** Limit of nodes with recent failures, over all accounts. Beyond it the oldest entry is dropped and counts as healthy. */
const MAX_NODES_WITH_BREAKERS = 10_000;
/** Limit of models with recent failures per node. */
const MAX_MODELS_WITH_BREAKERS = 64;

interface NodeBreakers {
  readonly accountId: AccountId;
  /** Failures of the node itself, which affect all of its models. */
  own: CircuitBreaker | null;
  readonly models: Map<string, CircuitBreaker>;
}

/** A model on a node. */
export interface ModelOnNode {
  readonly node: Pick<OnlineNode, 'nodeId' | 'accountId'>;
  readonly report: { readonly key: string };
}

/** A request's verdict, and when the request began, monotonic here. */
export interface Verdict extends ModelOnNode {
  readonly startedAtMs: number;
  readonly verdict: SharedVerdict;
}

/**
 * Passive health checks: the health of nodes from the outcomes of their requests, because a heartbeat can succeed while requests fail
 * (docs/reference/link.md#heartbeat). Kept per model, or per node when the node itself fails; healthy ones have no state. Health orders
 * candidates and never excludes the last one.
 */
export class NodeHealth implements HealthView {
  /** Emits an account whose usable nodes or their order have changed: its queued requests must be retried. */
  readonly usable$ = new Subject<AccountId>();
  /** Emits what a request here has shown, where other replicas may judge by it: a failure, or that a failing model has worked. */
  readonly verdicts$ = new Subject<Verdict>();
  /** Oldest failure first. */
  private readonly nodes = new Map<NodeId, NodeBreakers>();

  constructor(private readonly options: NodeHealthOptions) {}

  /** Nodes with at least one recent failure. */
  get size(): number {
    return this.nodes.size;
  }

  /** Nodes and models that are not healthy; each has one timer. */
  get suspicions(): number {
    let count = 0;
    for (const node of this.nodes.values()) for (const { health } of breakersOf(node)) if (health !== null) count += 1;
    return count;
  }

  stateOf(nodeId: NodeId, modelKey: string): NodeHealthState {
    return this.nodes.size === 0 ? 'healthy' : this.healthOf(nodeId, modelKey).state;
  }

  isProbed(nodeId: NodeId, modelKey: string): boolean {
    if (this.nodes.size === 0) return false;
    const node = this.nodes.get(nodeId);
    return node !== undefined && (node.own?.probed === true || node.models.get(modelKey)?.probed === true);
  }

  healthOf(nodeId: NodeId, modelKey: string): Health {
    const node = this.nodes.get(nodeId);
    if (node === undefined) return healthy;
    return worse(node.own?.health ?? healthy, node.models.get(modelKey)?.health ?? healthy);
  }

  worstOf(nodeId: NodeId): Health {
    const node = this.nodes.get(nodeId);
    let worst = healthy;
    if (node !== undefined) for (const { health } of breakersOf(node)) worst = worse(worst, health ?? healthy);
    return worst;
  }

  /** @param run identifies the request until `over` */
  started({ node, report }: ModelOnNode, run: object): void {
    if (this.nodes.size === 0) return;
    const failing = this.nodes.get(node.nodeId);
    failing?.own?.started(run);
    failing?.models.get(report.key)?.started(run);
  }

  /** The first event of a request: the node is not stalled. */
  begun({ node }: ModelOnNode): void {
    if (this.nodes.size === 0) return;
    const failing = this.nodes.get(node.nodeId);
    if (failing === undefined) return;
    for (const breaker of breakersOf(failing)) breaker.spoke();
  }

  /** Once per request. @param startedAtMs monotonic: requests that began before a failure belong to the same incident */
  over(target: ModelOnNode, run: object, startedAtMs: number, verdict: HealthVerdict): void {
    if (this.nodes.size === 0 && !isFailure(verdict)) return;
    const { nodeId } = target.node;
    const failing = this.nodes.get(nodeId);
    if (failing !== undefined) for (const breaker of breakersOf(failing)) breaker.left(run);
    if (verdict === 'none') return;
    const judged = { ...target, startedAtMs, verdict };
    this.judge(judged);
    if (failing !== undefined || isFailure(verdict)) this.verdicts$.next(judged);
  }

  /** What a request here or at another replica has shown. */
  judge({ verdict, startedAtMs, ...target }: Verdict): void {
    const { node, report } = target;
    switch (verdict) {
      case 'good': {
        const failing = this.nodes.get(node.nodeId);
        if (failing === undefined) return;
        for (const breaker of breakersOf(failing)) breaker.spoke();
        failing.own?.worked(startedAtMs);
        failing.models.get(report.key)?.worked(startedAtMs);
        this.prune(node.nodeId);
        return;
      }
      case 'node_failed':
        this.ownBreaker(node).failed(startedAtMs);
        return;
      case 'model_failed':
        this.modelBreaker(target).failed(startedAtMs);
        return;
      default:
        verdict satisfies never;
    }
  }

  /** The node did not confirm that it stopped a request: its engine may still be busy. */
  stopUnconfirmed(node: ModelOnNode['node']): void {
    this.ownBreaker(node).suspect('unconfirmed_stop', this.options.clock.monotonicMs(), null);
  }

  /** The first event of a request is far later than predicted, and its node sends nothing else. The request continues to wait. */
  stalled(target: ModelOnNode, startedAtMs: number, run: object): void {
    this.modelBreaker(target).suspect('stalled', startedAtMs, run);
  }

  /** The node has a new link or is no longer enrolled: resets its health. */
  renewed(nodeId: NodeId): void {
    const failing = this.nodes.get(nodeId);
    if (failing === undefined) return;
    this.nodes.delete(nodeId);
    for (const breaker of breakersOf(failing)) breaker.dismiss();
  }

  /** The node has reported its models: resets those that are no longer loaded, because a reload is a new start. */
  reported({ nodeId, models }: Pick<OnlineNode, 'nodeId' | 'models'>): void {
    const failing = this.nodes.get(nodeId);
    if (failing === undefined) return;
    for (const [key, breaker] of failing.models) {
      if (models.get(key)?.state === 'loaded') continue;
      failing.models.delete(key);
      breaker.dismiss();
    }
    this.prune(nodeId);
  }

  private ownBreaker(node: ModelOnNode['node']): CircuitBreaker {
    const failing = this.breakersOf(node);
    return (failing.own ??= this.newBreaker(node, null));
  }

  private modelBreaker({ node, report: { key } }: ModelOnNode): CircuitBreaker {
    const { models } = this.breakersOf(node);
    const known = models.get(key);
    if (known !== undefined) return known;
    const [oldest] = models;
    if (oldest !== undefined && models.size >= MAX_MODELS_WITH_BREAKERS) {
      models.delete(oldest[0]);
      oldest[1].dismiss();
    }
    const breaker = this.newBreaker(node, key);
    models.set(key, breaker);
    return breaker;
  }

  private breakersOf({ nodeId, accountId }: ModelOnNode['node']): NodeBreakers {
    const known = this.nodes.get(nodeId);
    if (known !== undefined) return known;
    const [oldest] = this.nodes.keys();
    if (oldest !== undefined && this.nodes.size >= MAX_NODES_WITH_BREAKERS) this.renewed(oldest);
    const failing: NodeBreakers = { accountId, own: null, models: new Map() };
    this.nodes.set(nodeId, failing);
    return failing;
  }

  private newBreaker({ nodeId, accountId }: ModelOnNode['node'], modelKey: string | null): CircuitBreaker {
    const { onChange } = this.options;
    return new CircuitBreaker(this.options, (health) => {
      if (health === null) this.prune(nodeId);
      onChange?.(nodeId, modelKey, health ?? healthy);
      this.usable$.next(accountId);
    });
  }

  private prune(nodeId: NodeId): void {
    const failing = this.nodes.get(nodeId);
    if (failing === undefined) return;
    for (const [key, { over }] of failing.models) if (over) failing.models.delete(key);
    if (failing.own?.over === true) failing.own = null;
    if (failing.own === null && failing.models.size === 0) this.nodes.delete(nodeId);
  }
}

function* breakersOf({ own, models }: NodeBreakers): Iterable<CircuitBreaker> {
  if (own !== null) yield own;
  yield* models.values();
}

const severity: Readonly<Record<NodeHealthState, number>> = { healthy: 0, probing: 1, suspect: 2 };
const worse = (one: Health, other: Health): Health => (severity[other.state] > severity[one.state] ? other : one);
