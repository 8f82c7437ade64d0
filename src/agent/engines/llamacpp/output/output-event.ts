export type FinishReason = 'stop' | 'length' | 'tool_calls';

export interface GenerationUsage {
  readonly promptTokens: number;
  /** These prompt tokens were reused from the state of an earlier request. */
  readonly cachedTokens: number;
  /** Sampled tokens, the end-of-turn token included, as llama-server counts them. */
  readonly completionTokens: number;
  readonly reasoningTokens: number;
}

/** The events of a response, independent of the dialect. */
export type OutputEvent =
  | { readonly kind: 'content' | 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string }
  /** A fragment of the last call's arguments: JSON text. */
  | { readonly kind: 'arguments'; readonly text: string }
  | {
      readonly kind: 'finish';
      readonly reason: FinishReason;
      /** The stop text that ended the response. */
      readonly stopText?: string | undefined;
      readonly usage: GenerationUsage;
    };
