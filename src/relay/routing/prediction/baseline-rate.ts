/** Before that many runs nobody can say what is usual. */
const TELLING_RUNS = 3;
const WEIGHT_ALONE = 0.2;
/** A faster run shows what the engine can do; half of the way, so that one odd measurement is not the measure of all others. */
const WEIGHT_FASTER = 0.5;

/**
 * Time per token read while nobody else is in the way, as delay-based congestion control keeps its "no-load" round trip: from runs that
 * came to an idle engine, and from every run that was faster than that. A busy engine without an idle moment is measured by the latter.
 */
export class BaselineRate {
  private rate = Infinity;
  private runs = 0;

  /** Milliseconds; null: nobody knows yet. */
  get msPerToken(): number | null {
    return this.runs >= TELLING_RUNS && Number.isFinite(this.rate) ? this.rate : null;
  }

  /**
   * @param alone when it came
   * @param exact the engine says what it remembered of the prompt: a prompt that seems to be read fast was not simply remembered
   */
  observe(msPerToken: number, alone: boolean, exact: boolean): void {
    if (!(msPerToken > 0) || !Number.isFinite(msPerToken)) return;
    this.runs = Math.min(TELLING_RUNS, this.runs + 1);
    if (!alone && !(exact && msPerToken < this.rate)) return;
    if (this.rate === Infinity) this.rate = msPerToken;
    else this.rate += (msPerToken < this.rate ? WEIGHT_FASTER : WEIGHT_ALONE) * (msPerToken - this.rate);
  }
}
