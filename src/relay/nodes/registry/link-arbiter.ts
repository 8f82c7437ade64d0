/**
 * Which link of a node stands (docs/reference/link.md#superseding, docs/reference/security.md#nodes). The higher epoch wins. A link of
 * the same agent process takes over gently: the older one keeps its streams. A link of another process ends the older one, and two
 * computers that keep throwing each other out are both refused for a while, because an identity in two places is a mistake that somebody
 * must see.
 */
import type { Clock } from '../../../kernel/clock.js';

export interface ArbitratedLink {
  readonly epoch: number;
  /** Random per agent process. */
  readonly processId: string;
  /** Takes no new streams, keeps those it has, and closes after the last one. */
  retire(): void;
  /** Loses its streams and closes at once. */
  evict(reason: EvictionReason): void;
}

export type EvictionReason = 'superseded' | 'same_identity_twice' | 'too_many_links';

export type ArbitrationOutcome = 'seated' | 'refused';

const SWAP_WINDOW_MS = 300_000;
const SWAPS_ALLOWED = 3;
const REFUSAL_MS = 300_000;
/** Older links of the same process that still finish streams. */
const RETIRED_LINKS = 4;

export class LinkArbiter<Link extends ArbitratedLink> {
  private activeLink: Link | null = null;
  private retired: Link[] = [];
  private swapsAtMs: number[] = [];
  private refusedUntilMs = -Infinity;

  constructor(private readonly clock: Clock) {}

  get current(): Link | null {
    return this.activeLink;
  }

  /** Milliseconds for which every link of this node is refused; 0 when none is. */
  get refusedForMs(): number {
    return Math.max(0, this.refusedUntilMs - this.clock.monotonicMs());
  }

  /** Nothing is left to remember. */
  get vacant(): boolean {
    this.forgetOldSwaps();
    return (
      this.activeLink === null && this.retired.length === 0 && this.swapsAtMs.length === 0 && this.refusedForMs === 0
    );
  }

  /** A link that has said who it is. A refused one was told so and is about to close. */
  take(link: Link): ArbitrationOutcome {
    const standing = this.activeLink;
    if (this.refusedForMs > 0) return refuse(link, 'same_identity_twice');
    if (standing === null) return this.seat(link);
    if (link.epoch <= standing.epoch) return refuse(link, 'superseded');
    if (link.processId === standing.processId) {
      this.seat(link);
      this.retire(standing);
      return 'seated';
    }
    if (this.swapsTooOften()) {
      this.refusedUntilMs = this.clock.monotonicMs() + REFUSAL_MS;
      this.swapsAtMs = [];
      this.activeLink = null;
      standing.evict('same_identity_twice');
      return refuse(link, 'same_identity_twice');
    }
    this.seat(link);
    for (const retired of this.retired.splice(0)) retired.evict('superseded');
    standing.evict('superseded');
    return 'seated';
  }

  /** @returns whether the link was the one that stood. */
  leave(link: Link): boolean {
    this.retired = this.retired.filter((retired) => retired !== link);
    if (this.activeLink !== link) return false;
    this.activeLink = null;
    return true;
  }

  private seat(link: Link): ArbitrationOutcome {
    this.activeLink = link;
    return 'seated';
  }

  private retire(link: Link): void {
    this.retired.push(link);
    if (this.retired.length > RETIRED_LINKS) this.retired.shift()?.evict('too_many_links');
    link.retire();
  }

  private swapsTooOften(): boolean {
    this.swapsAtMs.push(this.clock.monotonicMs());
    this.forgetOldSwaps();
    return this.swapsAtMs.length > SWAPS_ALLOWED;
  }

  private forgetOldSwaps(): void {
    const oldestMs = this.clock.monotonicMs() - SWAP_WINDOW_MS;
    this.swapsAtMs = this.swapsAtMs.filter((atMs) => atMs > oldestMs);
  }
}

function refuse(link: ArbitratedLink, reason: EvictionReason): ArbitrationOutcome {
  link.evict(reason);
  return 'refused';
}
