import { getProxyForUrl } from 'proxy-from-env';
import { isLoopback } from './relay-address.js';
import { AdvisedError } from '../../kernel/errors/advised-error.js';

/** The configured proxy cannot be used; the message says why. It never contains the proxy's password. */
export class ProxyError extends AdvisedError {
  override readonly name = 'ProxyError';

  constructor(message: string, options?: ErrorOptions) {
    super(message, 'HTTPS_PROXY=http://proxy:3128, or NO_PROXY=HOST-OF-THE-RELAY', options);
  }
}

/**
 * The proxy on the way to the relay by `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` (in either case) of this process;
 * undefined: none. A relay on this computer never goes through a proxy.
 * @throws ProxyError
 */
export function relayProxy(relay: URL): URL | undefined {
  if (isLoopback(relay.hostname)) return undefined;
  const found = getProxyForUrl(relay.href);
  if (found === '') return undefined;
  const address = withScheme(found);
  if (!URL.canParse(address))
    throw new ProxyError('the proxy in the environment is not a valid address: use one like http://proxy:3128');
  const proxy = new URL(address);
  if (proxy.protocol === 'http:' || proxy.protocol === 'https:') return proxy;
  throw new ProxyError(
    `a ${proxy.protocol} proxy is not supported: use http:// or https://, or exclude the relay with NO_PROXY`,
  );
}

/** A proxy without a scheme is an http proxy by convention, but the package assumes the relay's scheme. */
function withScheme(found: string): string {
  const names = ['https_proxy', 'http_proxy', 'all_proxy'].flatMap((name) => [name, name.toUpperCase()]);
  return names.some((name) => process.env[name] === found) ? found : found.replace(/^https?:\/\//, 'http://');
}
