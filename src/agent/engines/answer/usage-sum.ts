import { isJsonObject } from '../../../kernel/json-object.js';

/**
 * The usage of an answer with several choices. llama-server reports that of each choice by itself, in a chunk of its own: the last report
 * becomes that of all, as other engines have it.
 */
export class UsageSum {
  private completionTokens = 0;

  /** Changes the usage in place. */
  add(usage: unknown): void {
    if (!isJsonObject(usage)) return;
    const { prompt_tokens: prompt, completion_tokens: completion } = usage;
    if (typeof prompt !== 'number' || typeof completion !== 'number') return;
    this.completionTokens += completion;
    usage['completion_tokens'] = this.completionTokens;
    usage['total_tokens'] = prompt + this.completionTokens;
  }
}
