/** Time per token, and how it grows with company at the engine. */
export interface RatePrior {
  /** Of one request alone. */
  readonly msPerToken: number;
  /** How much each further request adds, as part of `msPerToken`. */
  readonly contention: number;
}

/** The newest observation counts for this much once the rate is well known. */
const LEAST_WEIGHT = 0.12;
/** The prior counts as a quarter of an observation: it is a guess over all the world's computers. */
const PRIOR_OBSERVATIONS = 0.25;
/** What an observation may differ from the rate, as a factor: beyond it something else was measured, such as a computer that slept. */
const OUTLIER_FACTOR = 4;
/** Before that many observations nobody can say what an outlier is. */
const TRUSTED_OBSERVATIONS = 3;
const REMEMBERED_OBSERVATIONS = 10;
/** Observations behind the prior of the contention: it shows only when many requests run together. */
const CONTENTION_PRIOR_WEIGHT = 6;
const CONTENTION_FORGETTING = 0.97;
const MOST_CONTENTION = 1.5;
/** Drivers, thermals and neighbours change: an old observation slowly gives way to the prior, so that a node gets another chance. */
const HALF_LIFE_MS = 900_000;
/** Younger knowledge is not worth the logarithms of aging it. */
const FRESH_MS = 60_000;

/** A rate that is learned from requests: an average in which the newest count most, in units of one request alone. */
export class LearnedRate {
  private msPerToken: number;
  private contention: number;
  private observations = 0;
  private observedAtMs = -Infinity;
  private companySquares = 0;
  private companyEffects = 0;

  constructor(private readonly prior: RatePrior) {
    this.msPerToken = prior.msPerToken;
    this.contention = prior.contention;
  }

  /** @param others requests at the same engine at the same time */
  at(others: number, nowMs: number): number {
    return this.alone(nowMs) * (1 + this.contention * others);
  }

  /** @param others on average, while the observation was made */
  observe(msPerToken: number, others: number, nowMs: number): void {
    if (!(msPerToken > 0) || !Number.isFinite(msPerToken)) return;
    const known = this.alone(nowMs);
    this.observations = this.remaining(nowMs);
    const trusted = this.observations >= TRUSTED_OBSERVATIONS;
    const alone = msPerToken / (1 + this.contention * others);
    const plausible = trusted ? clamp(alone, known / OUTLIER_FACTOR, known * OUTLIER_FACTOR) : alone;
    const weight = Math.max(LEAST_WEIGHT, 1 / (this.observations + 1 + PRIOR_OBSERVATIONS));
    this.msPerToken = known + weight * (plausible - known);
    this.observations = Math.min(REMEMBERED_OBSERVATIONS, this.observations + 1);
    this.observedAtMs = nowMs;
    if (trusted && others > 0)
      this.learnContention(clamp(msPerToken / this.msPerToken, 0, 1 + MOST_CONTENTION * others), others);
  }

  private learnContention(slowdown: number, others: number): void {
    this.companySquares = this.companySquares * CONTENTION_FORGETTING + others * others;
    this.companyEffects = this.companyEffects * CONTENTION_FORGETTING + others * (slowdown - 1);
    const learned =
      (this.companyEffects + CONTENTION_PRIOR_WEIGHT * this.prior.contention) /
      (this.companySquares + CONTENTION_PRIOR_WEIGHT);
    this.contention = clamp(learned, 0, MOST_CONTENTION);
  }

  private alone(nowMs: number): number {
    if (nowMs - this.observedAtMs < FRESH_MS) return this.msPerToken;
    if (this.observations === 0) return this.prior.msPerToken;
    const left = this.remaining(nowMs);
    const trust = left / (left + PRIOR_OBSERVATIONS);
    // Rates differ by factors, so the way back goes by factors, too.
    return this.prior.msPerToken * Math.pow(this.msPerToken / this.prior.msPerToken, trust);
  }

  private remaining(nowMs: number): number {
    const ageMs = nowMs - this.observedAtMs;
    return ageMs < FRESH_MS ? this.observations : this.observations * Math.pow(2, -ageMs / HALF_LIFE_MS);
  }
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
