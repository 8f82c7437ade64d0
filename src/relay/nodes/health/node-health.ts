import { Subject } from 'rxjs';
import type { Clock } from '../../../kernel/clock.js';
import type { AccountId, NodeId } from '../../../kernel/ids.js';
import type { OnlineNode } from '../registry/online-node.js';
import type { TimerWheel } from '../../platform/timing/timer-wheel.js';
import { isFailure, type HealthVerdict } from './health-verdict.js';
import { healthy, type Health, type HealthView, type NodeHealthState } from './health-view.js';
import { Trouble, type HealthLimits } from './trouble.js';

export interface NodeHealthOptions {
  readonly clock: Clock;
  readonly timers: Pick<TimerWheel, 'schedule'>;
  readonly limits: HealthLimits;
  /** @param modelKey null: the node itself */
  readonly onChange?: (nodeId: NodeId, modelKey: string | null, health: Health) => void;
}

/** Limit of nodes with recent failures, over all accounts. Beyond it the oldest entry is dropped and counts as healthy. */
const MAX_TROUBLED_NODES = 10_000;
/** Limit of models with recent failures per node. */
const MAX_TROUBLED_MODELS = 64;

interface TroubledNode {
  readonly accountId: AccountId;
  /** Failures of the node itself, which affect all of its models. */
  own: Trouble | null;
  readonly models: Map<string, Trouble>;
}

/** A model on a node. */
interface Place {
  readonly node: Pick<OnlineNode, 'nodeId' | 'accountId'>;
  readonly report: { readonly key: string };
}

/**
 * Passive health checks: the health of nodes from the outcomes of their requests, because a heartbeat can succeed while requests fail
 * (docs/reference/link.md#heartbeat). Kept per model, or per node when the node itself fails; healthy ones have no state. Health orders
 * candidates and never excludes the last one.
 */
export class NodeHealth implements HealthView {
  /** Emits an account whose usable nodes or their order have changed: its queued requests must be retried. */
  readonly usable$ = new Subject<AccountId>();
  /** Oldest failure first. */
  private readonly troubled = new Map<NodeId, TroubledNode>();

  constructor(private readonly options: NodeHealthOptions) {}

  /** Nodes with at least one recent failure. */
  get size(): number {
    return this.troubled.size;
  }

  /** Nodes and models that are not healthy; each has one timer. */
  get suspicions(): number {
    let count = 0;
    for (const node of this.troubled.values())
      for (const { health } of troublesOf(node)) if (health !== null) count += 1;
    return count;
  }

  stateOf(nodeId: NodeId, modelKey: string): NodeHealthState {
    return this.troubled.size === 0 ? 'healthy' : this.healthOf(nodeId, modelKey).state;
  }

  isProbed(nodeId: NodeId, modelKey: string): boolean {
    if (this.troubled.size === 0) return false;
    const node = this.troubled.get(nodeId);
    return node !== undefined && (node.own?.probed === true || node.models.get(modelKey)?.probed === true);
  }

  healthOf(nodeId: NodeId, modelKey: string): Health {
    const node = this.troubled.get(nodeId);
    if (node === undefined) return healthy;
    return worse(node.own?.health ?? healthy, node.models.get(modelKey)?.health ?? healthy);
  }

  worstOf(nodeId: NodeId): Health {
    const node = this.troubled.get(nodeId);
    let worst = healthy;
    if (node !== undefined) for (const { health } of troublesOf(node)) worst = worse(worst, health ?? healthy);
    return worst;
  }

  /** @param run identifies the request until `over` */
  started({ node, report }: Place, run: object): void {
    if (this.troubled.size === 0) return;
    const troubled = this.troubled.get(node.nodeId);
    troubled?.own?.started(run);
    troubled?.models.get(report.key)?.started(run);
  }

  /** The first event of a request: the node is not stalled. */
  begun({ node }: Place): void {
    if (this.troubled.size === 0) return;
    const troubled = this.troubled.get(node.nodeId);
    if (troubled === undefined) return;
    for (const trouble of troublesOf(troubled)) trouble.spoke();
  }

  /** Once per request. @param startedAtMs monotonic: requests that began before a failure belong to the same incident */
  over(place: Place, run: object, startedAtMs: number, verdict: HealthVerdict): void {
    if (this.troubled.size === 0 && !isFailure(verdict)) return;
    const { node, report } = place;
    const troubled = this.troubled.get(node.nodeId);
    if (troubled !== undefined) {
      for (const trouble of troublesOf(troubled)) trouble.left(run);
      if (verdict === 'good') {
        for (const trouble of troublesOf(troubled)) trouble.spoke();
        troubled.own?.worked(startedAtMs);
        troubled.models.get(report.key)?.worked(startedAtMs);
        this.prune(node.nodeId);
      }
    }
    if (verdict === 'node_failed') this.ownTrouble(node).failed(startedAtMs);
    else if (verdict === 'model_failed') this.modelTrouble(place).failed(startedAtMs);
  }

  /** The node did not confirm that it stopped a request: its engine may still be busy. */
  stopUnconfirmed(node: Place['node']): void {
    this.ownTrouble(node).suspect('unconfirmed_stop', this.options.clock.monotonicMs(), null);
  }

  /** The first event of a request is far later than predicted, and its node sends nothing else. The request continues to wait. */
  stalled(place: Place, startedAtMs: number, run: object): void {
    this.modelTrouble(place).suspect('stalled', startedAtMs, run);
  }

  /** The node has a new link or is no longer enrolled: resets its health. */
  renewed(nodeId: NodeId): void {
    const troubled = this.troubled.get(nodeId);
    if (troubled === undefined) return;
    this.troubled.delete(nodeId);
    for (const trouble of troublesOf(troubled)) trouble.dismiss();
  }

  /** The node has reported its models: resets those that are no longer loaded, because a reload is a new start. */
  reported({ nodeId, models }: Pick<OnlineNode, 'nodeId' | 'models'>): void {
    const troubled = this.troubled.get(nodeId);
    if (troubled === undefined) return;
    for (const [key, trouble] of troubled.models) {
      if (models.get(key)?.state === 'loaded') continue;
      troubled.models.delete(key);
      trouble.dismiss();
    }
    this.prune(nodeId);
  }

  private ownTrouble(node: Place['node']): Trouble {
    const troubled = this.troubledNode(node);
    return (troubled.own ??= this.newTrouble(node, null));
  }

  private modelTrouble({ node, report: { key } }: Place): Trouble {
    const { models } = this.troubledNode(node);
    const known = models.get(key);
    if (known !== undefined) return known;
    const [oldest] = models;
    if (oldest !== undefined && models.size >= MAX_TROUBLED_MODELS) {
      models.delete(oldest[0]);
      oldest[1].dismiss();
    }
    const trouble = this.newTrouble(node, key);
    models.set(key, trouble);
    return trouble;
  }

  private troubledNode({ nodeId, accountId }: Place['node']): TroubledNode {
    const known = this.troubled.get(nodeId);
    if (known !== undefined) return known;
    const [oldest] = this.troubled.keys();
    if (oldest !== undefined && this.troubled.size >= MAX_TROUBLED_NODES) this.renewed(oldest);
    const troubled: TroubledNode = { accountId, own: null, models: new Map() };
    this.troubled.set(nodeId, troubled);
    return troubled;
  }

  private newTrouble({ nodeId, accountId }: Place['node'], modelKey: string | null): Trouble {
    const { onChange } = this.options;
    return new Trouble(this.options, (health) => {
      if (health === null) this.prune(nodeId);
      onChange?.(nodeId, modelKey, health ?? healthy);
      this.usable$.next(accountId);
    });
  }

  private prune(nodeId: NodeId): void {
    const troubled = this.troubled.get(nodeId);
    if (troubled === undefined) return;
    for (const [key, { over }] of troubled.models) if (over) troubled.models.delete(key);
    if (troubled.own?.over === true) troubled.own = null;
    if (troubled.own === null && troubled.models.size === 0) this.troubled.delete(nodeId);
  }
}

function* troublesOf({ own, models }: TroubledNode): Iterable<Trouble> {
  if (own !== null) yield own;
  yield* models.values();
}

const severity: Readonly<Record<NodeHealthState, number>> = { healthy: 0, probing: 1, suspect: 2 };
const worse = (one: Health, other: Health): Health => (severity[other.state] > severity[one.state] ? other : one);
