import { promptTokensOf, type Demand } from './demand.js';

const TYPICAL_OUTPUT_TOKENS = 250;
const TYPICAL_BYTES_PER_TOKEN = 4;
/** Upper bound of bytes per token: beyond it the body is not text. */
const BYTES_PER_TOKEN = { least: 1, most: 12 };
const NEWEST_WEIGHT = 0.05;
/** Smaller bodies are mostly field names. */
const LEAST_BODY_BYTES = 1_000;

/** Usage profile of one model of one account, over all nodes, so that it never favours one of them. */
export class ModelUsageProfile {
  private outputTokens = TYPICAL_OUTPUT_TOKENS;
  private bytesPerToken = TYPICAL_BYTES_PER_TOKEN;
  private responses = 0;

  promptTokens(demand: Demand): number {
    return promptTokensOf(demand, this.bytesPerToken);
  }

  expectedOutputTokens({ maxOutputTokens }: Demand): number {
    // Clients set far higher limits than they use, so a high limit is no estimate.
    return maxOutputTokens === null ? this.outputTokens : Math.min(maxOutputTokens, this.outputTokens);
  }

  observe({ bodyBytes, hasMedia }: Demand, inputTokens: number, outputTokens: number): void {
    const weight = Math.max(NEWEST_WEIGHT, 1 / (this.responses + 2));
    this.responses += 1;
    if (outputTokens > 0) this.outputTokens += weight * (outputTokens - this.outputTokens);
    if (hasMedia || bodyBytes < LEAST_BODY_BYTES || inputTokens === 0) return;
    const { least, most } = BYTES_PER_TOKEN;
    const ratio = Math.min(most, Math.max(least, bodyBytes / inputTokens));
    this.bytesPerToken += weight * (ratio - this.bytesPerToken);
  }
}
