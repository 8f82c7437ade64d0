/** Initial estimate: twice the prediction. */
const UNKNOWN_TAIL = 2;
/** Observations needed: fewer hardly contain one in twenty. */
const LEAST_OBSERVATIONS = 20;
/** Step of the estimate: down by one step for an earlier first event, up by nineteen for a later one; they balance at 95 %. */
const STEP = 0.2;
const HIGHER = Math.exp(0.95 * STEP);
const LOWER = Math.exp(-0.05 * STEP);
/** Clamp of the observed ratio; values beyond are measurement errors. */
const LEAST = 0.1;
const MOST = 50;

/**
 * The 95th percentile of observed ÷ predicted time to the first event, by stochastic approximation (Robbins and Monro): two numbers of
 * state.
 */
export class P95Estimator {
  private ratio = UNKNOWN_TAIL;
  private observations = 0;

  /** Whether there are enough observations; until then {@link value} is the initial estimate. */
  get known(): boolean {
    return this.observations >= LEAST_OBSERVATIONS;
  }

  get value(): number {
    return this.ratio;
  }

  /** @param ratio observed ÷ predicted */
  observe(ratio: number): void {
    if (this.observations < LEAST_OBSERVATIONS) this.observations += 1;
    this.ratio = ratio > this.ratio ? Math.min(MOST, this.ratio * HIGHER) : Math.max(LEAST, this.ratio * LOWER);
  }

  /** A censored observation (ended without a first event after `ratio`): it counts only when it is beyond the estimate. */
  observeAtLeast(ratio: number): void {
    if (ratio > this.ratio) this.observe(ratio);
  }
}
