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
  private readonly slotOf = new Map<Owner, string>();
  private readonly owners = new Map<string, Set<Owner>>();

  /** Takes the owner out of its slot and puts it into another, or nowhere. Idempotent. */
  move(owner: Owner, slot: Slot | null): void {
    const from = this.slotOf.get(owner);
    const to = slot === null ? undefined : slotKey(slot);
    if (from === to) return;
    if (from !== undefined) this.remove(owner, from);
    if (to !== undefined) this.add(owner, to);
  }

  /** Requests that the relay has at this engine now. */
  busy(slot: Slot): number {
    return this.owners.get(slotKey(slot))?.size ?? 0;
  }

  get size(): number {
    return this.slotOf.size;
  }

  private add(owner: Owner, key: string): void {
    this.slotOf.set(owner, key);
    const inSlot = this.owners.get(key);
    if (inSlot === undefined) this.owners.set(key, new Set([owner]));
    else inSlot.add(owner);
  }

  private remove(owner: Owner, key: string): void {
    this.slotOf.delete(owner);
    const inSlot = this.owners.get(key);
    inSlot?.delete(owner);
    // Nodes and engines come and go: a place without anybody is forgotten.
    if (inSlot?.size === 0) this.owners.delete(key);
  }
}
