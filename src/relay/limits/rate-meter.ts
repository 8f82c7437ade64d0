const MINUTE_MS = 60_000;
/** How much of a minute's allowance may be used at once (reliability §2.9). */
const BURST_MS = 10_000;

/** What is left of a rate, for the headers of an answer. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Until all of it is there again. */
  readonly resetMs: number;
}

/**
 * The generic cell rate algorithm: one number per limit, the time at which everything used so far is paid off. What is used is paid in
 * `1 minute / limit` each; a debt of ten seconds (and of one unit at least) is given on credit. Constant time and space, no windows, no
 * timers. The limit comes with each call, so that a changed one holds at once.
 */
export class RateMeter {
  private paidOffAtMs = 0;

  /** Milliseconds until something may be used again; 0: now. One that is let in may overdraw: a single large prompt must not wait for ever. */
  waitMs(perMinute: number, nowMs: number): number {
    return Math.max(0, micros(this.debtMs(nowMs) + costMs(perMinute) - creditMs(perMinute)));
  }

  /** @param amount below zero gives back what was reserved too much. */
  use(amount: number, perMinute: number, nowMs: number): void {
    const from = amount < 0 ? this.paidOffAtMs : Math.max(this.paidOffAtMs, nowMs);
    this.paidOffAtMs = from + amount * costMs(perMinute);
  }

  allowance(perMinute: number, nowMs: number): Allowance {
    const left = Math.floor((creditMs(perMinute) - this.debtMs(nowMs)) / costMs(perMinute) + ROUNDING);
    return { limit: perMinute, remaining: Math.max(0, left), resetMs: micros(this.debtMs(nowMs)) };
  }

  private debtMs(nowMs: number): number {
    return Math.max(0, this.paidOffAtMs - nowMs);
  }
}

/** Sums of a 60,000th must not lose a unit to binary fractions. */
const ROUNDING = 1e-6;
/** Whole microseconds, in milliseconds: half a minute and a binary fraction must not be told as 31 seconds. */
const micros = (ms: number): number => Math.round(ms * 1_000) / 1_000;

const costMs = (perMinute: number): number => MINUTE_MS / perMinute;
const creditMs = (perMinute: number): number => Math.max(BURST_MS, costMs(perMinute));
