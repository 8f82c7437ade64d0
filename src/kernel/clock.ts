/** Time as a dependency, so that algorithms can be tested with a manual clock. */
export interface Clock {
  /** Monotonic milliseconds, for durations and deadlines. */
  monotonicMs(): number;
  /** Milliseconds since the Unix epoch, for timestamps. */
  wallMs(): number;
}

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
};

/** Uniform in [0, 1). */
export type Rng = () => number;
