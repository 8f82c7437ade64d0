import type { AttemptEnd, AttemptPrediction } from './attempt-prediction.js';
import { LearnedRate, type StoredRate } from './learned-rate.js';
import { FailureRecord } from './failure-record.js';
import type { RatePriors } from './priors.js';
import { SilentRequests } from './silent-requests.js';
import { P95Estimator } from './p95-estimator.js';

/** Observations needed for a baseline. */
const LEAST_RUNS = 3;
const WEIGHT_ALONE = 0.2;
/** Step towards a faster observation; half of the distance, so that a single outlier does not set the baseline. */
const WEIGHT_FASTER = 0.5;

/**
 * Prefill time per token of an idle engine, like the base round trip of delay-based congestion control: from runs on an idle engine and
 * from every faster run. The latter measure an engine that is never idle.
 */
class BaselineRate {
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

/**
 * The prefill that an engine still owes to earlier requests, counted by their tokens: engines read prompts one after the other, so a short
 * prompt behind a long one waits for all of it. Only the time at which it is done is stored.
 */
class PrefillBacklog {
  private doneAtMs = -Infinity;

  /** Milliseconds. @param idle no request waits there for its first event */
  leftMs(nowMs: number, idle: boolean): number {
    return idle ? 0 : Math.max(0, this.doneAtMs - nowMs);
  }

  /** A request has arrived. @param prefillMs of its prompt on an idle engine */
  add(prefillMs: number, nowMs: number, idle: boolean): void {
    this.doneAtMs = nowMs + this.leftMs(nowMs, idle) + prefillMs;
  }
}

/** Fixed cost of template and sampler, for any prompt. */
export const FIRST_TOKEN_MS = 20;
/** Below this, fixed costs dominate the measurement. */
const LEAST_PROMPT_TOKENS = 64;
const LEAST_OUTPUT_TOKENS = 8;
/** Prior of the cached part of a prompt that should be warm. */
const CACHE_HIT_PRIOR = 0.8;
const CACHE_HIT_WEIGHT = 0.15;
const LEAST_CACHED_TOKENS = 64;

/** The stored part of a model's speed. null: not observed. */
export interface ModelRates {
  readonly prefill: StoredRate | null;
  readonly decode: StoredRate | null;
  readonly warmth: number;
}

/** Speed and failures of one engine with one model. */
export class ModelStats {
  readonly failures = new FailureRecord();
  readonly silent = new SilentRequests();
  readonly prefill: LearnedRate;
  readonly decode: LearnedRate;
  readonly backlog = new PrefillBacklog();
  /** Prefill on an idle engine. */
  readonly quiet = new BaselineRate();
  /** p95 of first events, as seen by the relay. */
  readonly tail = new P95Estimator();
  /** 0…1: cached part of prompts that should be warm. */
  cacheHitShare = CACHE_HIT_PRIOR;
  /** Streams with a first event that have not ended. */
  answering = 0;

  constructor({ prefill, decode }: RatePriors) {
    this.prefill = new LearnedRate(prefill);
    this.decode = new LearnedRate(decode);
  }

  /** @param others mean concurrency meanwhile */
  observe(forecast: AttemptPrediction, end: AttemptEnd, others: number, nowMs: number): void {
    const { firstEventMs, totalMs, inputTokens, outputTokens, cachedTokens } = end;
    if (firstEventMs === null || inputTokens === null || outputTokens === null) return;
    this.observeCacheHit(forecast.cachedPromptTokens, inputTokens, cachedTokens);
    // Without reported cached tokens, a prompt that should be warm says nothing about prefill.
    const cached = cachedTokens ?? (forecast.cachedPromptTokens > 0 ? null : 0);
    const read = cached === null ? 0 : inputTokens - cached;
    const { prefillMs, decodeMs } = forecast;
    // A JSON response has only a total time: both parts are scaled by the same factor.
    const off = (totalMs - FIRST_TOKEN_MS) / Math.max(1, prefillMs + decodeMs);
    const readMs = forecast.demand.stream ? firstEventMs - FIRST_TOKEN_MS : prefillMs * off;
    const wroteMs = forecast.demand.stream ? totalMs - firstEventMs : decodeMs * off;
    if (read >= LEAST_PROMPT_TOKENS) {
      this.prefill.observe(readMs / read, others, nowMs);
      if (forecast.demand.stream)
        this.quiet.observe(
          readMs / read,
          forecast.othersAtStart + forecast.foreignAtStart === 0,
          cachedTokens !== null,
        );
    }
    if (outputTokens >= LEAST_OUTPUT_TOKENS) this.decode.observe(wroteMs / (outputTokens - 1), others, nowMs);
  }

  /** Monotonic. */
  get lastObservedAtMs(): number {
    return Math.max(this.prefill.lastObservedAtMs, this.decode.lastObservedAtMs);
  }

  stored(): ModelRates {
    return { prefill: this.prefill.stored(), decode: this.decode.stored(), warmth: this.cacheHitShare };
  }

  restore({ prefill, decode, warmth }: ModelRates, observedAtMs: number): void {
    if (prefill !== null) this.prefill.restore(prefill, observedAtMs);
    if (decode !== null) this.decode.restore(decode, observedAtMs);
    this.cacheHitShare = Math.min(1, Math.max(0, warmth));
  }

  private observeCacheHit(expected: number, inputTokens: number, cached: number | null): void {
    if (cached === null || expected < LEAST_CACHED_TOKENS) return;
    const part = Math.min(1, cached / Math.min(expected, inputTokens));
    this.cacheHitShare += CACHE_HIT_WEIGHT * (part - this.cacheHitShare);
  }
}
