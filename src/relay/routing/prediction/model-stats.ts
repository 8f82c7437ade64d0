import type { AttemptEnd, AttemptForecast } from './attempt-forecast.js';
import { LearnedRate } from './learned-rate.js';
import { FailureRecord } from './failure-record.js';
import type { RatePriors } from './priors.js';
import { BaselineRate } from './baseline-rate.js';
import { SilentRequests } from './silent-requests.js';
import { P95Estimator } from './p95-estimator.js';

/** What a template and a sampler cost, however short the prompt. */
export const FIRST_TOKEN_MS = 20;
/** With fewer tokens, fixed costs are measured instead of a rate. */
const TELLING_PROMPT_TOKENS = 64;
const TELLING_OUTPUT_TOKENS = 8;
/** What part of a prompt that should be warm really is: engines keep less than one hopes. */
const WARMTH_PRIOR = 0.8;
const WARMTH_WEIGHT = 0.15;
const TELLING_WARM_TOKENS = 64;

/** How fast one engine of one node is with one model, and what speaks against it. */
export class ModelStats {
  readonly failures = new FailureRecord();
  readonly silent = new SilentRequests();
  readonly prefill: LearnedRate;
  readonly decode: LearnedRate;
  /** Reading with nobody else in the way. */
  readonly quiet = new BaselineRate();
  /** Of first events, as the relay sees them. */
  readonly tail = new P95Estimator();
  /** 0…1: what the node's memory of prompts is worth. */
  warmth = WARMTH_PRIOR;

  constructor({ prefill, decode }: RatePriors) {
    this.prefill = new LearnedRate(prefill);
    this.decode = new LearnedRate(decode);
  }

  /** @param others requests at the engine meanwhile, on average */
  observe(forecast: AttemptForecast, end: AttemptEnd, others: number, nowMs: number): void {
    const { firstEventMs, totalMs, inputTokens, outputTokens, cachedTokens } = end;
    if (firstEventMs === null || inputTokens === null || outputTokens === null) return;
    this.observeWarmth(forecast.warmTokens, inputTokens, cachedTokens);
    // Where the engine does not say what it remembered, a prompt that should have been warm tells nothing about reading.
    const cached = cachedTokens ?? (forecast.warmTokens > 0 ? null : 0);
    const read = cached === null ? 0 : inputTokens - cached;
    const { prefillMs, decodeMs } = forecast;
    // Of a whole answer only the sum is known: both parts were off by the same factor, for all that one can tell.
    const off = (totalMs - FIRST_TOKEN_MS) / Math.max(1, prefillMs + decodeMs);
    const readMs = forecast.demand.stream ? firstEventMs - FIRST_TOKEN_MS : prefillMs * off;
    const wroteMs = forecast.demand.stream ? totalMs - firstEventMs : decodeMs * off;
    if (read >= TELLING_PROMPT_TOKENS) {
      this.prefill.observe(readMs / read, others, nowMs);
      if (forecast.demand.stream)
        this.quiet.observe(readMs / read, forecast.othersAtStart === 0, cachedTokens !== null);
    }
    if (outputTokens >= TELLING_OUTPUT_TOKENS) this.decode.observe(wroteMs / (outputTokens - 1), others, nowMs);
  }

  private observeWarmth(expected: number, inputTokens: number, cached: number | null): void {
    if (cached === null || expected < TELLING_WARM_TOKENS) return;
    const part = Math.min(1, cached / Math.min(expected, inputTokens));
    this.warmth += WARMTH_WEIGHT * (part - this.warmth);
  }
}
