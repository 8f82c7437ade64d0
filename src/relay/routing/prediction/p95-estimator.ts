/** What is taken for the tail as long as nobody knows: twice the prediction. */
const UNKNOWN_TAIL = 2;
/** Below that many observations nothing is said of a tail: one in twenty has hardly been seen. */
const TELLING_OBSERVATIONS = 20;
/** A first event that came too early for the tail lowers it by a little, one that came later raises it nineteen times as much: they balance at 95 %. */
const STEP = 0.2;
const HIGHER = Math.exp(0.95 * STEP);
const LOWER = Math.exp(-0.05 * STEP);
/** Warm prompts come far sooner than predicted; beyond these ends something else was measured. */
const LEAST = 0.1;
const MOST = 50;

/**
 * How many times longer than predicted the slowest twentieth of first events takes: the 95th percentile of observed ÷ predicted, by
 * stochastic approximation (Robbins and Monro). Two numbers, however much is observed.
 */
export class P95Estimator {
  private ratio = UNKNOWN_TAIL;
  private observations = 0;

  /** Whether it was learned; until then {@link value} is a guess. */
  get known(): boolean {
    return this.observations >= TELLING_OBSERVATIONS;
  }

  get value(): number {
    return this.ratio;
  }

  /** @param ratio observed ÷ predicted */
  observe(ratio: number): void {
    if (this.observations < TELLING_OBSERVATIONS) this.observations += 1;
    this.ratio = ratio > this.ratio ? Math.min(MOST, this.ratio * HIGHER) : Math.max(LEAST, this.ratio * LOWER);
  }

  /** It was over before it began, and had lasted that long: what that says of the tail is known only when it is beyond it. */
  observeAtLeast(ratio: number): void {
    if (ratio > this.ratio) this.observe(ratio);
  }
}
