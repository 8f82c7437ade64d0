/** Observations needed for a baseline. */
const LEAST_RUNS = 3;
const WEIGHT_ALONE = 0.2;
/** Step towards a faster observation; half of the distance, so that a single outlier does not set the baseline. */
const WEIGHT_FASTER = 0.5;

/**
 * Prefill time per token of an idle engine, like the base round trip of delay-based congestion control: from runs on an idle engine and
 * from every faster run. The latter measure an engine that is never idle.
 */
export class BaselineRate {
  private rate = Infinity;
  private runs = 0;

  /** Milliseconds; null: unknown. */
  get msPerToken(): number | null {
    return this.runs >= LEAST_RUNS && Number.isFinite(this.rate) ? this.rate : null;
  }

  /**
   * @param alone when the request arrived
   * @param exact the engine reports cached tokens, so that a cached prompt is not mistaken for fast prefill
   */
  observe(msPerToken: number, alone: boolean, exact: boolean): void {
    if (!(msPerToken > 0) || !Number.isFinite(msPerToken)) return;
    this.runs = Math.min(LEAST_RUNS, this.runs + 1);
    if (!alone && !(exact && msPerToken < this.rate)) return;
    if (this.rate === Infinity) this.rate = msPerToken;
    else this.rate += (msPerToken < this.rate ? WEIGHT_FASTER : WEIGHT_ALONE) * (msPerToken - this.rate);
  }
}
