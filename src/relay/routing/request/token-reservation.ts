/** Bytes of JSON per token of the prompt, roughly, in any language. */
const BYTES_PER_TOKEN = 4;
/** Media in the body make it large, and few tokens. */
const MAX_RESERVED_TOKENS = 32_768;

/** Tokens that a request holds back from its limits until the real number is known. */
export const estimateTokens = (bodyBytes: number): number =>
  Math.min(MAX_RESERVED_TOKENS, Math.ceil(bodyBytes / BYTES_PER_TOKEN));
