/** Time per token, and its growth with concurrency at the engine. */
export interface RatePrior {
  /** Holds for a single request. */
  readonly msPerToken: number;
  /** Fraction of `msPerToken` that each concurrent request adds. */
  readonly contention: number;
}

/** Weight of the newest observation once the rate is well known. */
const LEAST_WEIGHT = 0.12;
/** Weight of the prior, in observations: it is a guess over all kinds of computers. */
const PRIOR_OBSERVATIONS = 0.25;
/** Outlier bound as a factor of the rate: beyond it something else was measured, such as a suspended computer. */
const OUTLIER_FACTOR = 4;
/** Observations needed before outliers are rejected. */
const ENOUGH_OBSERVATIONS = 3;
const REMEMBERED_OBSERVATIONS = 10;
/** Weight of the contention prior, in observations: contention shows only with many concurrent requests. */
const CONTENTION_PRIOR_WEIGHT = 6;
const CONTENTION_FORGETTING = 0.97;
const MOST_CONTENTION = 1.5;
/** Drivers, thermals and other load change: old observations decay towards the prior, so that a node gets another chance. */
const HALF_LIFE_MS = 900_000;
/** Below this age the decay is not computed: it costs logarithms. */
const FRESH_MS = 60_000;

/** A learned rate, to be stored. */
export interface StoredRate {
  readonly msPerToken: number;
  readonly contention: number;
  readonly observations: number;
}

/** A learned rate: an exponentially weighted average, normalised to a single request. */
export class LearnedRate {
  private msPerToken: number;
  private contention: number;
  private observations = 0;
  private observedAtMs = -Infinity;
  private concurrencySquares = 0;
  private concurrencyEffects = 0;

  constructor(private readonly prior: RatePrior) {
    this.msPerToken = prior.msPerToken;
    this.contention = prior.contention;
  }

  /** Monotonic. */
  get lastObservedAtMs(): number {
    return this.observedAtMs;
  }

  /** null: nothing was observed. */
  stored(): StoredRate | null {
    const { msPerToken, contention, observations } = this;
    return observations === 0 ? null : { msPerToken, contention, observations };
  }

  /** Before the first observation. @param observedAtMs monotonic, may be before the start of the process */
  restore({ msPerToken, contention, observations }: StoredRate, observedAtMs: number): void {
    if (this.observations > 0 || !(msPerToken > 0) || !Number.isFinite(msPerToken)) return;
    this.msPerToken = msPerToken;
    this.contention = clamp(contention, 0, MOST_CONTENTION);
    this.observations = clamp(observations, 0, REMEMBERED_OBSERVATIONS);
    this.observedAtMs = observedAtMs;
  }

  /** @param others concurrent requests at the same engine */
  at(others: number, nowMs: number): number {
    return this.alone(nowMs) * (1 + this.contention * others);
  }

  /** @param others mean concurrency during the observation */
  observe(msPerToken: number, others: number, nowMs: number): void {
    if (!(msPerToken > 0) || !Number.isFinite(msPerToken)) return;
    const known = this.alone(nowMs);
    this.observations = this.remaining(nowMs);
    const trusted = this.observations >= ENOUGH_OBSERVATIONS;
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
    this.concurrencySquares = this.concurrencySquares * CONTENTION_FORGETTING + others * others;
    this.concurrencyEffects = this.concurrencyEffects * CONTENTION_FORGETTING + others * (slowdown - 1);
    const learned =
      (this.concurrencyEffects + CONTENTION_PRIOR_WEIGHT * this.prior.contention) /
      (this.concurrencySquares + CONTENTION_PRIOR_WEIGHT);
    this.contention = clamp(learned, 0, MOST_CONTENTION);
  }

  private alone(nowMs: number): number {
    if (nowMs - this.observedAtMs < FRESH_MS) return this.msPerToken;
    if (this.observations === 0) return this.prior.msPerToken;
    const left = this.remaining(nowMs);
    const trust = left / (left + PRIOR_OBSERVATIONS);
    // Rates differ by factors, so the decay is geometric.
    return this.prior.msPerToken * Math.pow(this.msPerToken / this.prior.msPerToken, trust);
  }

  private remaining(nowMs: number): number {
    const ageMs = nowMs - this.observedAtMs;
    return ageMs < FRESH_MS ? this.observations : this.observations * Math.pow(2, -ageMs / HALF_LIFE_MS);
  }
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
