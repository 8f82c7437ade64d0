const MINUTE_MS = 60_000;

/** The remaining part of a rate, for response headers. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Until all of it is available again. */
  readonly resetMs: number;
}

/**
 * The generic cell rate algorithm: one number per limit, the theoretical arrival time. A unit costs `1 minute / limit`;
 * a debt of `burstMs` (and of one unit at least) is allowed. With a burst of one minute this is a token bucket that holds the limit
 * itself and refills evenly. Constant time and space, no windows, no timers. The limit is an argument of each call, so that a changed
 * one applies at once.
 */
export class RateMeter {
  private paidOffAtMs = 0;

  /** @param burstMs the part of the rate that may be used at once */
  constructor(private readonly burstMs = MINUTE_MS) {}

  /** Milliseconds until the next use; 0: now. A use may exceed the credit, or a prompt larger than the limit would wait for ever. */
  waitMs(perMinute: number, nowMs: number): number {
    return Math.max(0, micros(this.debtMs(nowMs) + costMs(perMinute) - this.creditMs(perMinute)));
  }

  /**
   * @param amount below zero returns an excess reservation
   * @returns the debt that it adds
   */
  use(amount: number, perMinute: number, nowMs: number): number {
    const debtMs = amount * costMs(perMinute);
    this.addDebt(debtMs, nowMs);
    return debtMs;
  }

  /** Adds a debt, also one that exceeds the credit: it was used at another replica. */
  addDebt(debtMs: number, nowMs: number): void {
    const from = debtMs < 0 ? this.paidOffAtMs : Math.max(this.paidOffAtMs, nowMs);
    this.paidOffAtMs = from + debtMs;
  }

  /** Raises the debt to this, where it is lower. */
  raiseDebtTo(debtMs: number, nowMs: number): void {
    this.paidOffAtMs = Math.max(this.paidOffAtMs, nowMs + debtMs);
  }

  allowance(perMinute: number, nowMs: number): Allowance {
    const left = Math.floor((this.creditMs(perMinute) - this.debtMs(nowMs)) / costMs(perMinute) + ROUNDING);
    return { limit: perMinute, remaining: Math.max(0, left), resetMs: micros(this.debtMs(nowMs)) };
  }

  debtMs(nowMs: number): number {
    return Math.max(0, this.paidOffAtMs - nowMs);
  }

  /** At least one unit, or nothing could ever be used. */
  private creditMs(perMinute: number): number {
    return Math.max(this.burstMs, costMs(perMinute));
  }
}

/** Compensates rounding errors of sums. */
const ROUNDING = 1e-6;
/** Rounded to whole microseconds: 30 s and a binary fraction must not become 31 s in a header. */
const micros = (ms: number): number => Math.round(ms * 1_000) / 1_000;

const costMs = (perMinute: number): number => MINUTE_MS / perMinute;
