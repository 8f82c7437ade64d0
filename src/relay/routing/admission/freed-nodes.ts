import type { NodeId } from '../../../kernel/ids.js';

/** Entries kept; a reader that has missed more treats every node as freed. */
const KEPT = 1_024;

/**
 * The nodes at which a slot may have become free, over all accounts. Those who remember which nodes are full read what is new to them, so
 * that noting costs the same however many they are.
 */
export class FreedNodes {
  private readonly ring: NodeId[] = [];
  /** Number of entries so far. */
  private count = 0;

  note(nodeId: NodeId): void {
    this.ring[this.count % KEPT] = nodeId;
    this.count += 1;
  }

  /** @returns where the next reading begins */
  get end(): number {
    return this.count;
  }

  /** Calls `visit` for each entry since `position`. @returns false when entries are missing */
  readSince(position: number, visit: (nodeId: NodeId) => void): boolean {
    if (this.count - position > KEPT) return false;
    for (let at = position; at < this.count; at += 1) {
      const nodeId = this.ring[at % KEPT];
      if (nodeId !== undefined) visit(nodeId);
    }
    return true;
  }
}
