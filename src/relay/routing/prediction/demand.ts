/** The work of a request, estimated without reading the prompt. */
export interface Demand {
  readonly bodyBytes: number;
  /** Limit of the client; null: none. */
  readonly maxOutputTokens: number | null;
  /** A JSON response arrives at its end, so its first event says nothing about prefill. */
  readonly stream: boolean;
  /** Images and audio are encoded in the body, whose size then says little about tokens. */
  readonly hasMedia: boolean;
}

/** Tokens assumed for a request of unknown size. */
export const unknownDemand: Demand = { bodyBytes: 2_000, maxOutputTokens: null, stream: true, hasMedia: false };

/** An image is a few hundred to a few thousand tokens for an engine, and megabytes in the body. */
const MEDIA_PROMPT_TOKENS = 2_000;

/** @param bytesPerToken learned for the model. The result is at least one token. */
export function promptTokensOf({ bodyBytes, hasMedia }: Demand, bytesPerToken: number): number {
  const tokens = Math.max(1, bodyBytes / bytesPerToken);
  return hasMedia ? Math.min(tokens, MEDIA_PROMPT_TOKENS) : tokens;
}
