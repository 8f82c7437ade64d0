import { promptTokensOf, type Demand } from './demand.js';

const USUAL_OUTPUT_TOKENS = 250;
const USUAL_BYTES_PER_TOKEN = 4;
/** One token per byte happens; more bytes per token than that is a body of something else than text. */
const BYTES_PER_TOKEN = { least: 1, most: 12 };
const NEWEST_WEIGHT = 0.05;
/** Bodies below this are mostly field names. */
const TELLING_BODY_BYTES = 1_000;

/** How one model of one account is used, wherever it runs: the same for all nodes, so that it never speaks for one of them. */
export class ModelUsageProfile {
  private outputTokens = USUAL_OUTPUT_TOKENS;
  private bytesPerToken = USUAL_BYTES_PER_TOKEN;
  private answers = 0;

  promptTokens(demand: Demand): number {
    return promptTokensOf(demand, this.bytesPerToken);
  }

  expectedOutputTokens({ maxOutputTokens }: Demand): number {
    // Clients allow far more than they need, so a high limit tells nothing.
    return maxOutputTokens === null ? this.outputTokens : Math.min(maxOutputTokens, this.outputTokens);
  }

  observe({ bodyBytes, hasMedia }: Demand, inputTokens: number, outputTokens: number): void {
    const weight = Math.max(NEWEST_WEIGHT, 1 / (this.answers + 2));
    this.answers += 1;
    if (outputTokens > 0) this.outputTokens += weight * (outputTokens - this.outputTokens);
    if (hasMedia || bodyBytes < TELLING_BODY_BYTES || inputTokens === 0) return;
    const { least, most } = BYTES_PER_TOKEN;
    const ratio = Math.min(most, Math.max(least, bodyBytes / inputTokens));
    this.bytesPerToken += weight * (ratio - this.bytesPerToken);
  }
}
