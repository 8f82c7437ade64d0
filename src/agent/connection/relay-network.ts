/** How this computer reaches its relay: directly or through a proxy, and the trusted authorities. */
import type { Agent as HttpAgent } from 'node:http';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { Agent, ProxyAgent, type Dispatcher } from 'undici';
import { relayProxy } from './relay-proxy.js';
import { trustedAuthorities } from './trusted-authorities.js';

export interface RelayNetwork {
  /** For HTTP requests (undici). */
  readonly dispatcher: Dispatcher;
  /** For the WebSocket: options of `ws`. */
  readonly socket: { readonly agent?: HttpAgent; readonly ca?: string[] };
  /** Of the proxy, for people. */
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
