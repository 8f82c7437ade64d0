import type { Clock } from '../../src/kernel/clock.js';

interface Due {
  readonly atMs: number;
  /** Events of the same time run in the order in which they were scheduled. */
  readonly order: number;
  readonly happen: () => void;
}

const before = (a: Due, b: Due): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

/** A clock that jumps from event to event. */
export class VirtualTime implements Clock {
  private nowMs = 0;
  private planned = 0;
  /** A binary heap with the next event first. */
  private readonly heap: Due[] = [];

  monotonicMs(): number {
    return this.nowMs;
  }

  wallMs(): number {
    return this.nowMs;
  }

  after(delayMs: number, happen: () => void): void {
    const due: Due = { atMs: this.nowMs + Math.max(0, delayMs), order: this.planned++, happen };
    let index = this.heap.push(due) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = this.heap[parent];
      if (above === undefined || !before(due, above)) break;
      this.heap[index] = above;
      index = parent;
    }
    this.heap[index] = due;
  }

  /** Runs until nothing is scheduled. */
  run(): void {
    for (let due = this.next(); due !== undefined; due = this.next()) {
      this.nowMs = due.atMs;
      due.happen();
    }
  }

  private next(): Due | undefined {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (first === undefined || last === undefined || first === last) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      const [left, right] = [this.heap[child], this.heap[child + 1]];
      if (left === undefined) break;
      let smaller = left;
      if (right !== undefined && before(right, left)) {
        smaller = right;
        child += 1;
      }
      if (!before(smaller, last)) break;
      this.heap[index] = smaller;
      index = child;
    }
    this.heap[index] = last;
    return first;
  }
}
