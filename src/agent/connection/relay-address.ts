import { isIP } from 'node:net';
import { AdvisedError } from '../../kernel/errors/advised-error.js';

/** The address cannot be used. */
export class RelayAddressError extends AdvisedError {
  override readonly name = 'RelayAddressError';
}

/**
 * The relay's base address as the node keeps it: http or https, without credentials, query, trailing slash or `/v1`.
 * Plain http is allowed for this computer only: on a network, prompts and the join token could be read.
 * @throws RelayAddressError
 */
export function parseRelayAddress(text: string, { allowInsecure }: { readonly allowInsecure: boolean }): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new RelayAddressError(
      `"${text.slice(0, 200)}" is not the address of a relay`,
      'use one like https://relay.example',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new RelayAddressError('the address of the relay has a user or a password', 'leave them out of it');
  }
  if (url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname)) {
    throw new RelayAddressError(
      `${url.origin} is not encrypted`,
      'use https://, or --force-insecure if you own and trust the network in between',
    );
  }
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
  return url;
}

/** An address as stored and shown: without the trailing slash. */
export const addressText = (address: URL): string => address.href.replace(/\/+$/, '');

/** `path` below the relay's base address. */
export const relayPath = (base: URL, path: string): URL => new URL(addressText(base) + path);

export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}
