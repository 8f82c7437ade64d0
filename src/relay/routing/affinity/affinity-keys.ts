/** The keys that identify a later request of the same conversation. Nothing of the prompt is stored: texts are hashed at once. */
export interface AffinityKeys {
  /** Session id of the client (header, `prompt_cache_key`, `user`); null: none. */
  readonly session: string | null;
  /** Hash of the system prompt and the first user message: equal in every turn of a conversation. */
  readonly opening: string | null;
  /** Hash of the system prompt alone, which the conversations of an agent share. */
  readonly system: string | null;
  /** Approximate length of the system prompt. */
  readonly systemTokens: number;
}

export const noAffinity: AffinityKeys = { session: null, opening: null, system: null, systemTokens: 0 };
