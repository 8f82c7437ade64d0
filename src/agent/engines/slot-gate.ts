import { BehaviorSubject, type Observable } from 'rxjs';

/** The right to run one request. */
export interface Slot {
  /** Idempotent: every way in which a request can end calls it. */
  release(): void;
}

/** Limits the concurrent requests of an engine. Counts live claims, so that it cannot drift. */
export class SlotGate {
  private readonly usedSubject = new BehaviorSubject(0);
  /** Numbers, not the claims: a map that changes with every request would keep them until the next collection of old objects. */
  private readonly byReplica = new Map<string, number>();

  /** @param slots read for every claim, because an engine may report its own number later */
  constructor(private readonly slots: () => number) {}

  get total(): number {
    return this.slots();
  }

  get used(): number {
    return this.usedSubject.value;
  }

  get used$(): Observable<number> {
    return this.usedSubject;
  }

  /** Slots that hold requests of other replicas than this one. */
  usedElsewhere(replica: string): number {
    return this.used - (this.byReplica.get(replica) ?? 0);
  }

  /** @param replica through which the request came @returns undefined when all slots are taken */
  claim(replica = ''): Slot | undefined {
    if (this.used >= this.total) return undefined;
    let held = true;
    this.count(replica, 1);
    return {
      release: () => {
        if (!held) return;
        held = false;
        this.count(replica, -1);
      },
    };
  }

  private count(replica: string, change: 1 | -1): void {
    const used = (this.byReplica.get(replica) ?? 0) + change;
    if (used > 0) this.byReplica.set(replica, used);
    else this.byReplica.delete(replica);
    this.usedSubject.next(this.used + change);
  }
}
