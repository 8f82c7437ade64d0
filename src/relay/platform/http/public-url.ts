import type { IncomingMessage } from 'node:http';
import type { RelayConfig } from '../config/relay-config.js';
import { signedHost } from './signed-host.js';

/**
 * Under which address whoever sent this request reaches the relay. Without a public address it is reached again where it has just been,
 * but only at addresses of its own: a `Host` header cannot make it name a stranger.
 */
export function publicUrl(config: RelayConfig, { headers, socket }: IncomingMessage): string {
  const { settings, baseUrl } = config;
  const host = signedHost(settings.baseUrl, { host: headers.host, localAddress: socket.localAddress });
  if (host === undefined || host === new URL(baseUrl).host) return baseUrl;
  return `http://${host}`;
}
