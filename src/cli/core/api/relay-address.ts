import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';

/**
 * The relay's base URL without a trailing slash. A trailing `/v1` is removed, because people copy that form from SDK
 * settings.
 * @throws CliError (usage) when it is no http(s) URL
 */
export function parseBaseUrl(text: string, origin: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.search !== '') {
    throw new CliError('usage', exitCodes.usage, `${origin} is not a base URL`, {
      hint: completed(text) ?? 'a base URL looks like https://relay.example.com',
    });
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** Completes a host and port alone, as often typed. Elsewhere than on this computer a relay is expected to have TLS. */
function completed(text: string): string | undefined {
  if (!/^[\w.-]+(?::\d+)?$/.test(text)) return undefined;
  const scheme = isLoopbackHost(text.replace(/:\d+$/, '')) ? 'http' : 'https';
  return URL.canParse(`${scheme}://${text}`) ? `${scheme}://${text}` : undefined;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export const isLoopbackHost = (hostname: string): boolean => LOOPBACK.has(hostname);

/** Compares scheme, host and port; all loopback names count as one host. */
export function isSameRelay(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  if (a.protocol !== b.protocol || a.port !== b.port) return false;
  return a.hostname === b.hostname || (isLoopbackHost(a.hostname) && isLoopbackHost(b.hostname));
}
