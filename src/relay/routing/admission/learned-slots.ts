import { dropOldest } from '../../../kernel/drop-oldest.js';
import type { Clock } from '../../../kernel/clock.js';
import type { NodeId } from '../../../kernel/ids.js';
import { LruMap } from '../../../kernel/lru-map.js';
import type { Placement } from '../../inventory/model-entry.js';
import { slotsOf, usedElsewhere } from './occupancy.js';

/**
 * Multiplicative decrease for a run that was queued inside the engine: one outlier costs little, a wrong slot count is corrected after a
 * few.
 */
const BACK_OFF = 0.8;
/** Additive increase per generation of runs without queueing, in slots. */
const GAIN = 0.5;
/** After this time without evidence the reported slot count applies again: engines are restarted with other settings. */
const FORGOTTEN_MS = 600_000;
/** A node that is still stopping a run is briefly full: that is no evidence about its slots. */
const STOPPING_MS = 2_000;
const REMEMBERED_NODES = 10_000;
/** Models of one node with fewer learned than reported slots. */
const REMEMBERED_MODELS = 64;

interface Limit {
  slots: number;
  loweredAtMs: number;
}

/** A finished run. */
export interface EngineRun {
  readonly placement: Placement;
  /** Concurrent requests at the same engine. */
  readonly others: number;
  /** Requests that the engine was seen to run at once: it has so many slots at least. Absent: unknown. */
  readonly proven?: number;
  /** Monotonic. */
  readonly startedAtMs: number;
}

/**
 * The real concurrency of an engine where it is lower than reported: OpenAI-compatible servers do not report it, and a configured value may
 * be wrong. Additive increase and multiplicative decrease as for a TCP window, between 1 and the reported count, per node and model. Only
 * deviations are stored, so that correctly reported engines cost nothing; a disconnected node is dropped.
 */
export class LearnedSlots {
  private readonly nodes = new Map<NodeId, Map<string, Limit>>();
  /** Time of the last stopped run. */
  private readonly stopping: LruMap<NodeId, number>;

  /** @param onRaise the engine has room for one more */
  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly onRaise: (placement: Placement) => void = () => undefined,
    private readonly rememberedNodes = REMEMBERED_NODES,
  ) {
    this.stopping = new LruMap(rememberedNodes);
  }

  /** Nodes with fewer learned than reported slots. */
  get size(): number {
    return this.nodes.size;
  }

  /** Infinity: the reported count applies. */
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

  /** A run was stopped by the relay: until its engine has stopped it, the node has fewer free slots than the relay counts. */
  stopped({ node }: Placement): void {
    this.stopping.set(node.nodeId, this.clock.monotonicMs());
  }

  /** The node or the engine rejected a request for lack of room while `others` of ours were running: that is its capacity. */
  full({ placement, others }: EngineRun): void {
    const nowMs = this.clock.monotonicMs();
    const stoppedAtMs = this.stopping.get(placement.node.nodeId) ?? -Infinity;
    if (others === 0 || nowMs - stoppedAtMs < STOPPING_MS) return;
    // Another replica may have taken the slot since the last STATUS.
    if (usedElsewhere(placement) !== null) return;
    this.lower(placement, Math.min(others, this.slotsAt(placement)), nowMs);
  }

  /** @param waited inside the engine before it began */
  ran(run: EngineRun, waited: boolean): void {
    const { placement, others, startedAtMs, proven = 0 } = run;
    const limit = this.nodes.size === 0 ? undefined : this.nodes.get(placement.node.nodeId)?.get(placement.report.key);
    // Runs that began before the last step are part of the evidence for that step.
    if (limit !== undefined && startedAtMs < limit.loweredAtMs) return;
    if (!waited) {
      if (limit !== undefined) this.raise(placement, limit, others);
    } else if (others > 0) {
      const slots = this.slotsAt(placement);
      const fewer = Math.max(slots * BACK_OFF, proven);
      if (fewer < slots) this.lower(placement, fewer, this.clock.monotonicMs());
    }
  }

  /** The node disconnected. */
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
      dropOldest(this.nodes, this.rememberedNodes - 1);
      this.nodes.set(node.nodeId, (models = new Map<string, Limit>()));
    }
    if (!models.has(report.key)) dropOldest(models, REMEMBERED_MODELS - 1);
    models.set(report.key, { slots: Math.max(1, slots), loweredAtMs });
  }

  /** Raised only by a run that used the last slot: an idle engine is no evidence. */
  private raise(placement: Placement, limit: Limit, others: number): void {
    const before = Math.max(1, Math.round(limit.slots));
    if (others + 1 < before) return;
    limit.slots += GAIN / limit.slots;
    if (Math.round(limit.slots) === before) return;
    const { node, report } = placement;
    if (limit.slots >= slotsOf(placement)) this.remove(node.nodeId, report.key);
    this.onRaise(placement);
  }

  private remove(nodeId: NodeId, key: string): void {
    const models = this.nodes.get(nodeId);
    models?.delete(key);
    if (models?.size === 0) this.nodes.delete(nodeId);
  }
}
