/** How this computer reaches its relay: directly or through a proxy, and the trusted authorities. */
import type { Agent as HttpAgent } from 'node:http';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { Agent, ProxyAgent, type Dispatcher } from 'undici';
import { relayProxy } from './relay-proxy.js';
import { trustedAuthorities } from './trusted-authorities.js';

export interface RelayNetwork {
  /** Pass it to undici for HTTP requests. */
  readonly dispatcher: Dispatcher;
  /** Pass these options to `ws` for the WebSocket. */
  readonly socket: { readonly agent?: HttpAgent; readonly ca?: string[] };
  /** The proxy's host is shown to people; it contains no credentials. */
  readonly proxyHost: string | undefined;
}

/**
 * @param caFile certificates to trust besides those that Node trusts (`FERRY_CA_FILE`)
 * @throws CaFileError, ProxyError
 */
export async function relayNetwork(relay: URL, caFile: string | undefined): Promise<RelayNetwork> {
  const ca = caFile === undefined ? undefined : await trustedAuthorities(caFile);
  const trust = ca === undefined ? {} : { ca };
  const proxy = relayProxy(relay);
  if (proxy === undefined) {
    return { dispatcher: new Agent({ connect: trust }), socket: trust, proxyHost: undefined };
  }
  return {
    // Both use a CONNECT tunnel: the proxy sees the relay's name, but no content.
    dispatcher: new ProxyAgent({ uri: proxy.href, requestTls: trust, proxyTls: trust, proxyTunnel: true }),
    socket: { ...trust, agent: new HttpsProxyAgent(proxy, trust) },
    proxyHost: proxy.host,
  };
}
