import { networkAddresses } from '../../../kernel/network-addresses.js';
import { isLoopbackHost } from '../../core/api/relay-address.js';
import { listensEverywhere } from '../../core/args/listen-address.js';

/** The output of `ferry up --json`; the names are a contract with scripts. */
export interface ReadyFacts {
  /** Excludes `/v1`. */
  readonly base_url: string;
  /** OpenAI's clients need `/v1` in it. */
  readonly openai_base_url: string;
  /** Anthropic's clients append `/v1` themselves. */
  readonly anthropic_base_url: string;
  /** Where other computers reach it, without `/v1`; empty when only this computer does. */
  readonly network_urls: readonly string[];
  readonly api_key: string;
  /** One-time sign-in link of the owner on the website; null where a browser cannot sign in, as over a network without TLS. */
  readonly console_url: string | null;
  readonly cluster_id: string;
  readonly node_id: string;
  /** null when no model is loaded. */
  readonly model: string | null;
  /** Absolute. */
  readonly data_dir: string;
}

type DerivedFacts = 'openai_base_url' | 'anthropic_base_url' | 'network_urls';

/** Adds the addresses in the forms that clients want. @param host that the relay listens on */
export const readyFacts = (
  facts: Omit<ReadyFacts, DerivedFacts>,
  host: string,
  addresses: () => readonly string[] = networkAddresses,
): ReadyFacts => ({
  base_url: facts.base_url,
  openai_base_url: `${facts.base_url}/v1`,
  anthropic_base_url: facts.base_url,
  network_urls: networkUrls(facts.base_url, host, addresses),
  api_key: facts.api_key,
  console_url: facts.console_url,
  cluster_id: facts.cluster_id,
  node_id: facts.node_id,
  model: facts.model,
  data_dir: facts.data_dir,
});

/** A base URL that is no loopback address was set, or is the one address that the relay listens on. */
function networkUrls(baseUrl: string, host: string, addresses: () => readonly string[]): string[] {
  if (!isLoopbackHost(new URL(baseUrl).hostname)) return [baseUrl];
  if (!listensEverywhere(host)) return [];
  const { port } = new URL(baseUrl);
  return addresses().map((address) => `http://${address}:${port}`);
}
