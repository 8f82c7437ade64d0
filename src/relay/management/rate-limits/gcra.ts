import type { Clock } from '../../../kernel/clock.js';
import { LruMap } from '../../../kernel/lru-map.js';

export interface RatePolicy {
  /** As it is told to clients. */
  readonly name: string;
  readonly perMinute: number;
}

/** What a policy has to say after a request. */
export interface RateState {
  readonly policy: RatePolicy;
  readonly allowed: boolean;
  /** Requests that may come at once now. */
  readonly remaining: number;
  /** Until all of the burst is there again. */
  readonly resetMs: number;
  /** Until the next request is allowed; 0 when it is now. */
  readonly waitMs: number;
}

const MINUTE_MS = 60_000;
/** Far below any interval, far above what is lost when intervals are added up as binary fractions. */
const ROUNDING_MS = 0.001;
/** This much of the rate may come at once (reliability §2.9). */
export const BURST_SECONDS = 10;

export const burstOf = ({ perMinute }: RatePolicy): number => Math.max(1, Math.floor((perMinute * BURST_SECONDS) / 60));

/**
 * Generic cell rate algorithm: one number per key, the time at which its allowance would be whole again. No window has an edge at
 * which twice the rate gets through. Keys beyond `maxKeys` are forgotten, the idlest first: they begin with a whole allowance.
 */
export class Gcra {
  readonly #wholeAtMs: LruMap<string, number>;
  readonly #intervalMs: number;
  readonly #toleranceMs: number;

  constructor(
    readonly policy: RatePolicy,
    maxKeys: number,
    private readonly clock: Clock,
  ) {
    this.#wholeAtMs = new LruMap(maxKeys);
    this.#intervalMs = MINUTE_MS / policy.perMinute;
    this.#toleranceMs = this.#intervalMs * burstOf(policy);
  }

  /** Counts a request, unless there is no allowance for it. */
  take(key: string): RateState {
    const now = this.clock.monotonicMs();
    const wholeAtMs = Math.max(this.#wholeAtMs.get(key) ?? now, now) + this.#intervalMs;
    if (wholeAtMs - now > this.#toleranceMs + ROUNDING_MS) return this.look(key);
    this.#wholeAtMs.set(key, wholeAtMs);
    return this.#state(true, wholeAtMs - now);
  }

  /** As `take` would answer, without counting. */
  look(key: string): RateState {
    const now = this.clock.monotonicMs();
    const debtMs = Math.max((this.#wholeAtMs.get(key) ?? now) - now, 0);
    return this.#state(debtMs + this.#intervalMs <= this.#toleranceMs + ROUNDING_MS, debtMs);
  }

  #state(allowed: boolean, debtMs: number): RateState {
    return {
      policy: this.policy,
      allowed,
      remaining: Math.max(0, Math.floor((this.#toleranceMs - debtMs + ROUNDING_MS) / this.#intervalMs)),
      resetMs: debtMs,
      waitMs: allowed ? 0 : debtMs + this.#intervalMs - this.#toleranceMs,
    };
  }
}
