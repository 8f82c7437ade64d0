export type FinishReason = 'stop' | 'length' | 'tool_calls';

export interface GenerationUsage {
  readonly promptTokens: number;
  /** Of those, taken over from an earlier request's state. */
  readonly cachedTokens: number;
  /** Sampled tokens, the end-of-turn token included, as llama-server counts them. */
  readonly completionTokens: number;
  readonly reasoningTokens: number;
}

/** What an answer consists of, in order, whatever protocol it leaves in. */
export type OutputEvent =
  | { readonly kind: 'content' | 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string }
  /** A fragment of the last call's arguments: JSON text. */
  | { readonly kind: 'arguments'; readonly text: string }
  | {
      readonly kind: 'finish';
      readonly reason: FinishReason;
      /** Which of the request's stop texts ended the answer. */
      readonly stopText?: string | undefined;
      readonly usage: GenerationUsage;
    };
