/** By what a later request of the same conversation is recognised. Nothing of the prompt is kept: texts become hashes at once. */
export interface AffinityKeys {
  /** As the client names it (header, `prompt_cache_key`, `user`); null: it does not. */
  readonly session: string | null;
  /** Of the system prompt and the first question: the same in every turn of a conversation. */
  readonly opening: string | null;
  /** Of the system prompt alone, which an agent's conversations share. */
  readonly system: string | null;
  /** About how long the system prompt is. */
  readonly systemTokens: number;
}

export const noAffinity: AffinityKeys = { session: null, opening: null, system: null, systemTokens: 0 };
