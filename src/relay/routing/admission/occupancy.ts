import type { NodeId } from '../../../kernel/ids.js';

/** Capacity is counted per engine of a node: its models share its slots. */
export interface Slot {
  readonly nodeId: NodeId;
  readonly engine: string;
}

/** Node ids have a fixed length, so the engine's name cannot make two places look alike. */
export const slotKey = ({ nodeId, engine }: Slot): string => nodeId + engine;

/**
 * Who works where. An owner is in at most one place, and a slot's count is the number of owners in it: there is no counter that a lost
 * decrement could leave wrong for ever.
 */
export class Occupancy<Owner> {
  private readonly slotOf = new Map<Owner, Slot>();
  /** By node, then engine: every candidate of every request is looked up here, and no key is put together for it. */
  private readonly owners = new Map<NodeId, Map<string, Set<Owner>>>();

  /** Takes the owner out of its slot and puts it into another, or nowhere. Idempotent. */
  move(owner: Owner, slot: Slot | null): void {
    const from = this.slotOf.get(owner);
    if (from !== undefined) {
      if (from.nodeId === slot?.nodeId && from.engine === slot.engine) return;
      this.remove(owner, from);
    }
    if (slot !== null) this.add(owner, slot);
  }

  /** Requests that the relay has at this engine now. */
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
    const engines = this.owners.get(nodeId);
    const inSlot = engines?.get(engine);
    inSlot?.delete(owner);
    if (inSlot?.size !== 0) return;
    // Nodes and engines come and go: a place without anybody is forgotten.
    engines?.delete(engine);
    if (engines?.size === 0) this.owners.delete(nodeId);
  }
}
