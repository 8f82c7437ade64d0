/** How much work a request is, as far as the relay can tell without reading the prompt. */
export interface Demand {
  readonly bodyBytes: number;
  /** As the client limits it; null: it does not. */
  readonly maxOutputTokens: number | null;
  /** A whole answer comes at its end, so its first event tells nothing about the prompt. */
  readonly stream: boolean;
  /** Images and sound are encoded in the body, which then says little about its tokens. */
  readonly hasMedia: boolean;
}

/** What a request counts for whose size nobody told. */
export const unknownDemand: Demand = { bodyBytes: 2_000, maxOutputTokens: null, stream: true, hasMedia: false };

/** An image is a few hundred to some thousand tokens for an engine, and megabytes in the body. */
const MEDIA_PROMPT_TOKENS = 2_000;

/** @param bytesPerToken of the model, as learned. At least one token. */
export function promptTokensOf({ bodyBytes, hasMedia }: Demand, bytesPerToken: number): number {
  const tokens = Math.max(1, bodyBytes / bytesPerToken);
  return hasMedia ? Math.min(tokens, MEDIA_PROMPT_TOKENS) : tokens;
}
