/** How fast an answer comes: from the question to its first piece, and from there to its end. */
export class AnswerTiming {
  private readonly startMs = performance.now();
  private firstMs: number | undefined;

  readonly piece = (): void => {
    this.firstMs ??= performance.now();
  };

  /** Null for an answer of less than two tokens: the first one ends the prefill, and the rate is that of the others. */
  tokensPerSecond(tokens: number | null): number | null {
    const seconds = this.firstMs === undefined ? 0 : (performance.now() - this.firstMs) / 1_000;
    return tokens === null || tokens < 2 || seconds === 0 ? null : (tokens - 1) / seconds;
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
