const MINUTE_MS = 60_000;

/** What is left of a rate, for the headers of an answer. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Until all of it is there again. */
  readonly resetMs: number;
}

/**
 * The generic cell rate algorithm: one number per limit, the time at which everything used so far is paid off. What is used is paid in
 * `1 minute / limit` each; a debt of `burstMs` (and of one unit at least) is given on credit. With a minute of credit this is a token bucket
 * that holds the limit itself and is refilled evenly. Constant time and space, no windows, no timers. The limit comes with each call, so that a changed one holds at once.
 */
export class RateMeter {
  private paidOffAtMs = 0;

  /** @param burstMs how much of the rate may be used at once: a whole minute's worth unless told otherwise */
  constructor(private readonly burstMs = MINUTE_MS) {}

  /** Milliseconds until something may be used again; 0: now. One that is let in may overdraw: a single large prompt must not wait for ever. */
  waitMs(perMinute: number, nowMs: number): number {
    return Math.max(0, micros(this.debtMs(nowMs) + costMs(perMinute) - this.creditMs(perMinute)));
  }

  /** @param amount below zero gives back what was reserved too much. */
  use(amount: number, perMinute: number, nowMs: number): void {
    const from = amount < 0 ? this.paidOffAtMs : Math.max(this.paidOffAtMs, nowMs);
    this.paidOffAtMs = from + amount * costMs(perMinute);
  }

  allowance(perMinute: number, nowMs: number): Allowance {
    const left = Math.floor((this.creditMs(perMinute) - this.debtMs(nowMs)) / costMs(perMinute) + ROUNDING);
    return { limit: perMinute, remaining: Math.max(0, left), resetMs: micros(this.debtMs(nowMs)) };
  }

  /** At least one unit, or nothing could ever be used. */
  private creditMs(perMinute: number): number {
    return Math.max(this.burstMs, costMs(perMinute));
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
