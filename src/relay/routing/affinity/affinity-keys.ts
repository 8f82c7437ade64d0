import type { PromptPrefix } from './prefix-hashes.js';

/** The keys that identify a later request of the same conversation. Nothing of the prompt is stored: texts are hashed at once. */
export interface AffinityKeys {
  /** Session id of the client (header, `prompt_cache_key`, `user`); null: none. */
  readonly session: string | null;
  /** Hash of the system prompt and the first user message: equal in every turn of a conversation. */
  readonly opening: string | null;
  /** Beginnings of the prompt, which others may share: a system prompt, a document, earlier turns. Longest first. */
  readonly prefixes: readonly PromptPrefix[];
}

export const noAffinity: AffinityKeys = { session: null, opening: null, prefixes: [] };
