import type { IncomingMessage } from 'node:http';
import type { RelayConfig } from '../config/relay-config.js';
import { isLoopbackHost } from './loopback.js';
import { signedHost } from './signed-host.js';

/**
 * URL under which the sender of this request reaches the relay. Without a public address it is the address that was just used, if it is one
 * of the relay's own: a forged `Host` header is ignored.
 */
export function publicUrl(config: RelayConfig, { headers, socket }: IncomingMessage): string {
  const { settings, baseUrl } = config;
  const host = signedHost(settings.baseUrl, { host: headers.host, localAddress: socket.localAddress });
  if (host === undefined || host === new URL(baseUrl).host) return baseUrl;
  return `http://${host}`;
}

/**
 * Address of the website for the sender of this request. `localhost` and `127.0.0.1` are the same computer but have different cookies, so
 * both are answered with the address at which users are signed in.
 */
export function websiteUrl(config: RelayConfig, request: IncomingMessage): string {
  const url = publicUrl(config, request);
  return isLoopbackHost(new URL(url).hostname) ? config.baseUrl : url;
}
