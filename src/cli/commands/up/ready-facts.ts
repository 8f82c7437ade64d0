/** The output of `ferry up --json`; the names are a contract with scripts. */
export interface ReadyFacts {
  /** Without `/v1`. */
  readonly base_url: string;
  /** For OpenAI's clients: with `/v1`. */
  readonly openai_base_url: string;
  /** For Anthropic's clients: without `/v1`. */
  readonly anthropic_base_url: string;
  readonly api_key: string;
  /** One-time sign-in link of the owner on the website; null where a browser cannot sign in, as over a network without TLS. */
  readonly console_url: string | null;
  readonly cluster_id: string;
  readonly node_id: string;
  /** null when no model is loaded. */
  readonly model: string | null;
}

/** Adds the addresses in the forms that clients need. */
export const readyFacts = (facts: Omit<ReadyFacts, 'openai_base_url' | 'anthropic_base_url'>): ReadyFacts => ({
  base_url: facts.base_url,
  openai_base_url: `${facts.base_url}/v1`,
  anthropic_base_url: facts.base_url,
  api_key: facts.api_key,
  console_url: facts.console_url,
  cluster_id: facts.cluster_id,
  node_id: facts.node_id,
  model: facts.model,
});
