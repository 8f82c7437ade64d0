import type { Clock } from '../../../src/kernel/clock.js';

/** Time that moves when the test says so. */
export class ManualClock implements Clock {
  constructor(private nowMs = 1_000_000) {}

  monotonicMs(): number {
    return this.nowMs;
  }

  wallMs(): number {
    return this.nowMs;
  }

  advance(milliseconds: number): void {
    this.nowMs += milliseconds;
  }
}
