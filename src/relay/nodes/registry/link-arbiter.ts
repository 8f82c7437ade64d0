/**
 * Selects the active link of a node (docs/reference/link.md#superseding, docs/reference/security.md#nodes). The higher epoch wins. A newer
 * link of the same agent process, which may carry the same epoch, leaves the older one its open streams. A link of another process closes
 * the older one. Two computers that keep replacing each other are both refused for a while, because they use the same identity by mistake.
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

export type ArbitrationOutcome = 'accepted' | 'refused';

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

  /** True when the arbiter holds no state and can be dropped. */
  get vacant(): boolean {
    this.forgetOldSwaps();
    return (
      this.activeLink === null && this.retired.length === 0 && this.swapsAtMs.length === 0 && this.refusedForMs === 0
    );
  }

  /** To be called when HELLO has arrived. A refused link has been told and is about to close. */
  take(link: Link): ArbitrationOutcome {
    const active = this.activeLink;
    if (this.refusedForMs > 0) return refuse(link, 'same_identity_twice');
    if (active === null) return this.activate(link);
    const sameProcess = link.processId === active.processId;
    if (link.epoch < active.epoch || (link.epoch === active.epoch && !sameProcess)) return refuse(link, 'superseded');
    if (sameProcess) {
      this.activate(link);
      this.retire(active);
      return 'accepted';
    }
    if (this.swapsTooOften()) {
      this.refuseFor(REFUSAL_MS);
      this.activeLink = null;
      active.evict('same_identity_twice');
      return refuse(link, 'same_identity_twice');
    }
    this.activate(link);
    for (const retired of this.retired.splice(0)) retired.evict('superseded');
    active.evict('superseded');
    return 'accepted';
  }

  /**
   * A process with this epoch is connected to another replica: links with a lower one belong to an older process. It counts as a swap, so
   * that two computers are found, too, when they are connected to different replicas.
   * @returns the active link that was ended; null: there was none, or it stays
   */
  endOlder(epoch: number): Link | null {
    const isOlder = (link: Link): boolean => link.epoch < epoch;
    for (const link of this.retired.filter(isOlder)) link.evict('superseded');
    this.retired = this.retired.filter((link) => !isOlder(link));
    const active = this.activeLink;
    if (active === null || !isOlder(active)) return null;
    this.activeLink = null;
    if (this.swapsTooOften()) this.refuseFor(REFUSAL_MS);
    active.evict(this.refusedForMs > 0 ? 'same_identity_twice' : 'superseded');
    return active;
  }

  /** @returns whether the link was the active one */
  leave(link: Link): boolean {
    this.retired = this.retired.filter((retired) => retired !== link);
    if (this.activeLink !== link) return false;
    this.activeLink = null;
    return true;
  }

  private activate(link: Link): ArbitrationOutcome {
    this.activeLink = link;
    return 'accepted';
  }

  private retire(link: Link): void {
    this.retired.push(link);
    if (this.retired.length > RETIRED_LINKS) this.retired.shift()?.evict('too_many_links');
    link.retire();
  }

  private refuseFor(milliseconds: number): void {
    this.refusedUntilMs = this.clock.monotonicMs() + milliseconds;
    this.swapsAtMs = [];
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
