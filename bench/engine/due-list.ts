/** Paced streams indexed by the millisecond at which they are due, so that a tick touches only those. */
export class DueList<Item> {
  private readonly byMs = new Map<number, Item[]>();
  private doneMs: number;

  constructor(nowMs: number) {
    this.doneMs = Math.floor(nowMs);
  }

  add(dueAtMs: number, item: Item): void {
    // The buckets of past milliseconds have been drained: overdue streams go to the next tick.
    const slot = Math.max(this.doneMs + 1, Math.ceil(dueAtMs));
    const items = this.byMs.get(slot);
    if (items === undefined) this.byMs.set(slot, [item]);
    else items.push(item);
  }

  *take(nowMs: number): Generator<Item> {
    const until = Math.floor(nowMs);
    while (this.doneMs < until) {
      this.doneMs += 1;
      const items = this.byMs.get(this.doneMs);
      if (items === undefined) continue;
      this.byMs.delete(this.doneMs);
      yield* items;
    }
  }
}
