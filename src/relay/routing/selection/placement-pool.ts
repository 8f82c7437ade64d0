import type { NodeId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { FreedNodes } from '../admission/freed-nodes.js';
import { rendezvousWeight, textHash } from '../affinity/rendezvous-weight.js';
import { CheapestPositions } from './cheapest-positions.js';
import { PositionSet } from './position-set.js';

/** Cheapest ones of a decision that the next one looks at. */
const REMEMBERED = 3;
const HASHES = 2 ** 32;
/** More than there are positions; times 2³² it is still an exact number. */
const POSITIONS = 2 ** 20;

/**
 * The placements of one model, and which of them may have a free slot: all but those that were full when they were last considered and whose
 * node has freed nothing since. A placement is looked at before it is chosen, so an entry too many costs a look and never a wrong choice.
 */
export class PlacementPool {
  readonly free: PositionSet;
  /** Positions of the cheapest ones of the latest decision: power of several choices with a memory. */
  readonly best = new CheapestPositions(REMEMBERED);
  private readonly positions = new Map<NodeId, number[]>();
  private readonly decisionOf: Uint32Array;
  private decision = 0;
  /** Hash and position of each placement as one number, in order. */
  private ring: Float64Array | null = null;
  private readUntil: number;

  constructor(
    readonly placements: readonly Placement[],
    private readonly freed: FreedNodes,
  ) {
    this.free = new PositionSet(placements.length);
    this.decisionOf = new Uint32Array(placements.length);
    this.readUntil = freed.end;
    for (const [position, { node }] of placements.entries()) {
      const known = this.positions.get(node.nodeId);
      if (known === undefined) this.positions.set(node.nodeId, [position]);
      else known.push(position);
    }
  }

  /** Before each decision. */
  begin(): void {
    this.decision += 1;
    const isComplete = this.freed.readSince(this.readUntil, (nodeId) => {
      for (const position of this.at(nodeId)) this.free.add(position);
    });
    if (!isComplete) this.free.addAll();
    this.readUntil = this.freed.end;
  }

  /** @returns false when it was taken in this decision before */
  take(position: number): boolean {
    if (this.decisionOf[position] === this.decision) return false;
    this.decisionOf[position] = this.decision;
    return true;
  }

  at(nodeId: NodeId): readonly number[] {
    return this.positions.get(nodeId) ?? [];
  }

  /**
   * The placement that the conversation prefers to others of equal cost, by consistent hashing: the same one at all replicas and after a
   * restart, and a node that comes or goes changes that of few conversations.
   * @param rank 0: the first choice. Two ranks may have the same placement.
   */
  preferredBy(conversation: string, rank: number): number {
    this.ring ??= Float64Array.from(
      this.placements,
      (placement, position) => (rendezvousWeight('', placement) >>> 0) * POSITIONS + position,
    ).sort();
    return followerOf(textHash(conversation, rank), this.ring);
  }
}

/**
 * The first point from `hash` on; after the last one, the ring begins again. Hashes are spread evenly, so that it is near its share of the ring:
 * of 1,000 points, a binary search would read ten that are far apart in memory.
 */
function followerOf(hash: number, ring: Float64Array): number {
  const point = hash * POSITIONS;
  let at = Math.floor((hash / HASHES) * ring.length);
  while (at > 0 && (ring[at - 1] ?? 0) >= point) at -= 1;
  while (at < ring.length && (ring[at] ?? 0) < point) at += 1;
  return (ring[at === ring.length ? 0 : at] ?? 0) % POSITIONS;
}
