import { tokenRate } from '../../core/output/quantities.js';

/** How fast a response comes: from the question to its first piece, and from there to its end. */
export class ResponseTiming {
  private readonly startMs = performance.now();
  private firstMs: number | undefined;

  readonly chunk = (): void => {
    this.firstMs ??= performance.now();
  };

  /** null: too little to measure. The first token ends the prefill, and the rate is that of the others. */
  tokensPerSecond(tokens: number | null): number | null {
    if (tokens === null || this.firstMs === undefined) return null;
    return tokenRate(tokens, performance.now() - this.firstMs);
  }

  /** `41 tok/s · first token 0.19 s · 412 tokens`; what is not known is left out. */
  describe(tokens: number | null): string {
    const rate = this.tokensPerSecond(tokens);
    return [
      ...(rate === null ? [] : [`${String(Math.round(rate))} tok/s`]),
      ...(this.firstMs === undefined ? [] : [`first token ${((this.firstMs - this.startMs) / 1_000).toFixed(2)} s`]),
      ...(tokens === null ? [] : [`${String(tokens)} tokens`]),
    ].join(' · ');
  }
}
