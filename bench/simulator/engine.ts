import { LruMap } from '../../src/kernel/lru-map.js';

export interface Prompt {
  readonly conversation: string;
  readonly group: string;
  readonly systemTokens: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
}

export interface JobListener {
  readonly begun: (cachedTokens: number) => void;
  readonly finished: () => void;
}

/** What a simulated node runs. */
export interface Engine {
  /** It accepts requests and never responds. */
  readonly wedged: boolean;
  /** Requests that run, and that wait for a place. */
  readonly load: { readonly running: number; readonly waiting: number };
  /** @returns a function that cancels the job; idempotent, and no callback is called after it */
  start(prompt: Prompt, listener: JobListener): () => void;
}

/** The prompts that an engine saw last: of each conversation, and the beginning that a group shares. */
export class PromptCache {
  private readonly prompts: LruMap<string, number>;

  constructor(private readonly limit: number) {
    this.prompts = new LruMap(Math.max(1, limit));
  }

  cachedTokens({ conversation, group, systemTokens, promptTokens }: Prompt): number {
    if (this.limit === 0) return 0;
    const known = Math.max(
      this.prompts.get(conversation) ?? 0,
      this.prompts.get(group) === undefined ? 0 : systemTokens,
    );
    // The last token is always computed.
    return Math.min(known, promptTokens - 1);
  }

  remember({ conversation, group, promptTokens, outputTokens }: Prompt): void {
    this.prompts.set(group, 0);
    this.prompts.set(conversation, promptTokens + outputTokens);
  }
}
