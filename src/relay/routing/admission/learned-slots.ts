import type { Clock } from '../../../kernel/clock.js';
import type { AccountId, NodeId } from '../../../kernel/ids.js';
import { LruMap } from '../../../kernel/lru-map.js';
import type { Placement } from '../../inventory/model-entry.js';
import { slotsOf } from '../selection/choice.js';

/** What a run that waited in the engine's own line takes off: one outlier costs little, a wrong figure is gone after some. */
const BACK_OFF = 0.8;
/** What a generation of runs without waiting gives back, in slots. */
const GAIN = 0.5;
/** Without a further sign for so long the node's own word counts again: an engine is restarted with other settings now and then. */
const FORGOTTEN_MS = 600_000;
/** A node that is still stopping a run is full for a moment, and says nothing about its slots. */
const STOPPING_MS = 2_000;
const REMEMBERED_NODES = 10_000;
/** Models of one node that got fewer slots than it says. */
const REMEMBERED_MODELS = 64;

interface Limit {
  slots: number;
  loweredAtMs: number;
}

/** A run that is over. */
export interface EngineRun {
  readonly placement: Placement;
  /** Requests that ran beside it at the same engine. */
  readonly others: number;
  /** Monotonic. */
  readonly startedAtMs: number;
}

/**
 * How many requests an engine really runs at once, where that is fewer than its node says: engines behind an OpenAI-compatible server
 * do not tell, and a figure in a configuration is a hope. Additive increase, multiplicative decrease, as for a TCP window: what is
 * learned is never more than what the node says and never less than 1, per node and model. Only what deviates is remembered, so that
 * engines which keep their word cost nothing; a node that leaves is forgotten.
 */
export class LearnedSlots {
  private readonly nodes = new Map<NodeId, Map<string, Limit>>();
  /** When a run was stopped there last. */
  private readonly stopping: LruMap<NodeId, number>;

  /** @param onRaise there may be room for one more of those who wait */
  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly onRaise: (accountId: AccountId) => void = () => undefined,
    private readonly rememberedNodes = REMEMBERED_NODES,
  ) {
    this.stopping = new LruMap(rememberedNodes);
  }

  /** Nodes that run fewer requests at once than they say. */
  get size(): number {
    return this.nodes.size;
  }

  /** Infinity: nothing speaks against what the node says. */
  limitOf({ node, report }: Placement): number {
    if (this.nodes.size === 0) return Infinity;
    const limit = this.nodes.get(node.nodeId)?.get(report.key);
    if (limit === undefined) return Infinity;
    if (this.clock.monotonicMs() - limit.loweredAtMs >= FORGOTTEN_MS) {
      this.remove(node.nodeId, report.key);
      return Infinity;
    }
    return Math.max(1, Math.round(limit.slots));
  }

  /** A run was stopped from here: until its engine has let go of it, the node is fuller than the relay counts. */
  stopped({ node }: Placement): void {
    this.stopping.set(node.nodeId, this.clock.monotonicMs());
  }

  /** The node, or the engine itself, said that it has no room, with so many others of ours: they are what it runs. */
  full({ placement, others }: EngineRun): void {
    const nowMs = this.clock.monotonicMs();
    const stoppedAtMs = this.stopping.get(placement.node.nodeId) ?? -Infinity;
    if (others === 0 || nowMs - stoppedAtMs < STOPPING_MS) return;
    this.lower(placement, Math.min(others, this.slotsAt(placement)), nowMs);
  }

  /** @param waited in the engine's own line, before it began */
  ran(run: EngineRun, waited: boolean): void {
    const { placement, others, startedAtMs } = run;
    const limit = this.nodes.size === 0 ? undefined : this.nodes.get(placement.node.nodeId)?.get(placement.report.key);
    // Those that began before the last step belong to what that step was for.
    if (limit !== undefined && startedAtMs < limit.loweredAtMs) return;
    if (!waited) {
      if (limit !== undefined) this.raise(placement, limit, others);
    } else if (others > 0) {
      this.lower(placement, this.slotsAt(placement) * BACK_OFF, this.clock.monotonicMs());
    }
  }

  /** The node is gone. */
  forget(nodeId: NodeId): void {
    this.nodes.delete(nodeId);
    this.stopping.delete(nodeId);
  }

  private slotsAt(placement: Placement): number {
    const { node, report } = placement;
    return Math.min(slotsOf(placement), this.nodes.get(node.nodeId)?.get(report.key)?.slots ?? Infinity);
  }

  private lower({ node, report }: Placement, slots: number, loweredAtMs: number): void {
    let models = this.nodes.get(node.nodeId);
    if (models === undefined) {
      this.dropOldest(this.nodes, this.rememberedNodes);
      this.nodes.set(node.nodeId, (models = new Map<string, Limit>()));
    }
    if (!models.has(report.key)) this.dropOldest(models, REMEMBERED_MODELS);
    models.set(report.key, { slots: Math.max(1, slots), loweredAtMs });
  }

  /** Only by a run that needed the last slot: an idle engine proves nothing. */
  private raise(placement: Placement, limit: Limit, others: number): void {
    const before = Math.max(1, Math.round(limit.slots));
    if (others + 1 < before) return;
    limit.slots += GAIN / limit.slots;
    if (Math.round(limit.slots) === before) return;
    const { node, report } = placement;
    if (limit.slots >= slotsOf(placement)) this.remove(node.nodeId, report.key);
    this.onRaise(node.accountId);
  }

  private remove(nodeId: NodeId, key: string): void {
    const models = this.nodes.get(nodeId);
    models?.delete(key);
    if (models?.size === 0) this.nodes.delete(nodeId);
  }

  /** Before one more is added. */
  private dropOldest(map: Map<unknown, unknown>, limit: number): void {
    if (map.size < limit) return;
    for (const key of map.keys()) {
      map.delete(key);
      return;
    }
  }
}
