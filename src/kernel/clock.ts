/** Time as a dependency, so that algorithms can be tested with a clock that stands still. */
export interface Clock {
  /** Milliseconds that only ever go forward; for durations and deadlines. */
  monotonicMs(): number;
  /** Milliseconds since the Unix epoch; for what people and databases read. */
  wallMs(): number;
}

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
};

/** Uniform in [0, 1). */
export type Rng = () => number;
