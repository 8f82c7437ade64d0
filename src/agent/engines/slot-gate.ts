import { BehaviorSubject, type Observable } from 'rxjs';

/** The right to run one request. */
export interface Slot {
  /** Idempotent: every way in which a request can end calls it. */
  release(): void;
}

/** Limits the concurrent requests of an engine. Counts live claims, so that it cannot drift. */
export class SlotGate {
  private readonly usedSubject = new BehaviorSubject(0);
  /** With the replica of each request. */
  private readonly claims = new Map<Slot, string>();

  /** @param slots read for every claim, because an engine may report its own number later */
  constructor(private readonly slots: () => number) {}

  get total(): number {
    return this.slots();
  }

  get used(): number {
    return this.claims.size;
  }

  get used$(): Observable<number> {
    return this.usedSubject;
  }

  /** Slots that hold requests of other replicas than this one. */
  usedElsewhere(replica: string): number {
    let used = 0;
    for (const by of this.claims.values()) if (by !== replica) used += 1;
    return used;
  }

  /** @param replica through which the request came @returns undefined when all slots are taken */
  claim(replica = ''): Slot | undefined {
    if (this.claims.size >= this.total) return undefined;
    const slot: Slot = {
      release: () => {
        if (this.claims.delete(slot)) this.usedSubject.next(this.claims.size);
      },
    };
    this.claims.set(slot, replica);
    this.usedSubject.next(this.claims.size);
    return slot;
  }
}
