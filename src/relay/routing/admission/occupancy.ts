import type { NodeId } from '../../../kernel/ids.js';
import type { StatusMessage } from '../../../link/messages.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { FreedNodes } from './freed-nodes.js';

/** Capacity is counted per engine of a node: the engine's models share its slots. */
export interface Slot {
  readonly nodeId: NodeId;
  readonly engine: string;
}

/** Node ids have a fixed length, so the concatenation is unambiguous. */
export const slotKey = ({ nodeId, engine }: Slot): string => nodeId + engine;

/** Before its first STATUS a node is assumed to run at least one request. */
const UNREPORTED_SLOTS = 1;

/** What the node last said about the placement's engine. A loop: it runs for every candidate of every request, without a closure. */
function engineStatus({ node, report }: Placement): StatusMessage['engines'][number] | undefined {
  if (node.status === null) return undefined;
  for (const engine of node.status.engines) if (engine.name === report.engine) return engine;
  return undefined;
}

/** Requests that the placement's engine runs at once, by its own report. */
export const slotsOf = (placement: Placement): number => engineStatus(placement)?.slots_total ?? UNREPORTED_SLOTS;

/** Slots of the placement's engine that hold requests of other replicas, by its node's last report; null: no other replica has the node. */
export const usedElsewhere = (placement: Placement): number | null =>
  engineStatus(placement)?.slots_used_elsewhere ?? null;

/**
 * The requests running at each engine. An owner is at no more than one engine, and the count is the number of owners there: no counter can
 * drift by a lost decrement.
 */
export class Occupancy<Owner> {
  private readonly slotOf = new Map<Owner, Slot>();
  /** By node, then engine: looked up for every candidate of every request, without building a key. */
  private readonly owners = new Map<NodeId, Map<string, Set<Owner>>>();

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
    return this.owners.get(nodeId)?.get(engine)?.size ?? 0;
  }

  get size(): number {
    return this.slotOf.size;
  }

  private add(owner: Owner, slot: Slot): void {
    this.slotOf.set(owner, slot);
    let engines = this.owners.get(slot.nodeId);
    if (engines === undefined) this.owners.set(slot.nodeId, (engines = new Map<string, Set<Owner>>()));
    const inSlot = engines.get(slot.engine);
    if (inSlot === undefined) engines.set(slot.engine, new Set([owner]));
    else inSlot.add(owner);
  }

  private remove(owner: Owner, { nodeId, engine }: Slot): void {
    this.slotOf.delete(owner);
    this.freed?.note(nodeId);
    const engines = this.owners.get(nodeId);
    const inSlot = engines?.get(engine);
    inSlot?.delete(owner);
    if (inSlot?.size !== 0) return;
    // Entries without owners are removed: nodes and engines change.
    engines?.delete(engine);
    if (engines?.size === 0) this.owners.delete(nodeId);
  }
}
