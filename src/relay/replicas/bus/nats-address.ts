import type { ConnectionOptions } from '@nats-io/transport-node';

export type NatsAddress = Pick<ConnectionOptions, 'servers' | 'user' | 'pass' | 'token' | 'tls'>;

/**
 * `nats://user:password@host:4222,nats://host2:4222`: servers of one NATS cluster. The client does not read credentials from addresses, so
 * those of the first one that has them are used for all. A user without a password is a token. `tls://` requires encryption.
 * @throws Error for anything else, without repeating it, because it may contain a password
 */
export function parseNatsAddress(list: string): NatsAddress {
  const addresses = list
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map(parseOne);
  if (addresses.length === 0) throw new Error('needs an address such as nats://host:4222');
  const { username = '', password = '' } = addresses.find(({ username }) => username !== '') ?? {};
  const user = decodeURIComponent(username);
  return {
    servers: addresses.map(({ hostname, port }) => `${hostname}:${port === '' ? '4222' : port}`),
    ...(user !== '' && password === '' && { token: user }),
    ...(password !== '' && { user, pass: decodeURIComponent(password) }),
    ...(addresses.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
  };
}

function parseOne(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '' || url.pathname.length > 1)
    throw new Error('needs addresses such as nats://host:4222 or tls://user:password@host:4222');
  return url;
}
