/** The relay's address for new nodes and invited people, and whether it works on other computers. */
import type { IncomingMessage } from 'node:http';
import { networkAddresses } from '../../../kernel/network-addresses.js';
import type { RelayConfig } from '../config/relay-config.js';
import { publicUrl } from './public-url.js';

export interface ReachableAddress {
  /** Has no trailing slash. */
  readonly url: string;
  /** Other computers would connect without TLS. */
  readonly insecure: boolean;
  readonly reachable: 'loopback' | 'network';
  readonly warning: string | null;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const EVERYWHERE: readonly string[] = ['0.0.0.0', '::', ''];

/**
 * The public address if there is one, else the address of this request. If that is a loopback address and the relay listens on all
 * interfaces, an address of its network instead, because loopback does not reach the relay from another computer.
 */
export function reachableAddress(
  config: RelayConfig,
  request: IncomingMessage,
  localNetwork: () => string | undefined = () => networkAddresses()[0],
): ReachableAddress {
  const used = publicUrl(config, request);
  const asked = isLoopbackUrl(used) && !isLoopbackUrl(config.baseUrl) ? config.baseUrl : used;
  const { host, baseUrl } = config.settings;
  const elsewhere =
    isLoopbackUrl(asked) && baseUrl === undefined && EVERYWHERE.includes(host) ? localNetwork() : undefined;
  const url = elsewhere === undefined ? asked : `http://${elsewhere}:${new URL(asked).port}`;
  if (isLoopbackUrl(url)) return { url, insecure: false, reachable: 'loopback', warning: onlyHere(url) };
  const insecure = new URL(url).protocol === 'http:';
  return { url, insecure, reachable: 'network', warning: insecure ? unencrypted(url) : null };
}

const isLoopbackUrl = (url: string): boolean => LOOPBACK.test(new URL(url).hostname);

const onlyHere = (url: string): string =>
  `The relay at ${url} is reachable only from this computer. For others start it with \`ferry up --host 0.0.0.0\`, or set FERRY_BASE_URL to its public address.`;

const unencrypted = (url: string): string =>
  `The connection to ${url} is not encrypted: prompts and responses can be read in transit. Use it only on a trusted network, or set FERRY_BASE_URL to an https address.`;
