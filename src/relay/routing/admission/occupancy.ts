import type { NodeId } from '../../../kernel/ids.js';
import type { StatusMessage } from '../../../link/messages.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { FreedNodes } from './freed-nodes.js';
import { NodeLoad } from './node-load.js';

/** Capacity is counted per engine of a node: the engine's models share its slots. */
export interface Slot {
  readonly nodeId: NodeId;
  readonly engine: string;
}

/** Node ids have a fixed length, so the concatenation is unambiguous. */
export const slotKey = ({ nodeId, engine }: Slot): string => nodeId + engine;

/** Before its first STATUS a node is assumed to run at least one request. */
const UNREPORTED_SLOTS = 1;

type EngineStatus = StatusMessage['engines'][number];

/** Returns the node's last report of the placement's engine. A loop, no closure: it runs for every candidate of every request. */
export function engineStatus({ node, report }: Placement): EngineStatus | undefined {
  if (node.status === null) return undefined;
  for (const engine of node.status.engines) if (engine.name === report.engine) return engine;
  return undefined;
}

/** Requests that the placement's engine runs at once, by its own report. */
export const slotsOf = (placement: Placement, engine = engineStatus(placement)): number =>
  engine?.slots_total ?? UNREPORTED_SLOTS;

/** Slots of the placement's engine that hold requests of other replicas, by its node's last report; null: no other replica has the node. */
export const usedElsewhere = (placement: Placement, engine = engineStatus(placement)): number | null =>
  engine?.slots_used_elsewhere ?? null;

/**
 * The requests running at each engine. An owner is at no more than one engine, and a count changes only when an owner's place does: no counter
 * can drift by a lost decrement.
 */
export class Occupancy<Owner> {
  private readonly slotOf = new Map<Owner, Slot>();
  /** Looked up for every candidate of every request, without building a key. */
  private readonly loads = new Map<NodeId, NodeLoad>();

  /** @param freed gets the nodes at which a slot was released */
  constructor(private readonly freed?: FreedNodes) {}

  /**
   * Moves the owner from its slot to another, or to none. Idempotent.
   * @returns the slot that became free; null: none did
   */
  move(owner: Owner, slot: Slot | null): Slot | null {
    const from = this.slotOf.get(owner);
    if (from !== undefined) {
      if (from.nodeId === slot?.nodeId && from.engine === slot.engine) return null;
      this.remove(owner, from);
    }
    if (slot !== null) this.add(owner, slot);
    return from ?? null;
  }

  /** Requests of this relay at the engine now. */
  busy({ nodeId, engine }: Slot): number {
    return this.loads.get(nodeId)?.at(engine) ?? 0;
  }

  get size(): number {
    return this.slotOf.size;
  }

  private add(owner: Owner, slot: Slot): void {
    this.slotOf.set(owner, slot);
    let load = this.loads.get(slot.nodeId);
    if (load === undefined) this.loads.set(slot.nodeId, (load = new NodeLoad(slot.engine)));
    load.change(slot.engine, 1);
  }

  private remove(owner: Owner, { nodeId, engine }: Slot): void {
    this.slotOf.delete(owner);
    this.freed?.note(nodeId);
    const load = this.loads.get(nodeId);
    load?.change(engine, -1);
    // Entries without owners are removed: nodes and engines change.
    if (load?.isEmpty === true) this.loads.delete(nodeId);
  }
}
