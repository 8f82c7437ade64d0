import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** Whether a host name or address, with or without the brackets of IPv6, is this computer itself. */
export function isLoopbackHost(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '').replace(/^::ffff:/i, '');
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** Whether a request came over loopback and was meant for it: the name of another site may resolve to 127.0.0.1. */
export function cameOverLoopback({ socket, headers }: IncomingMessage): boolean {
  const host = headers.host?.replace(/:\d+$/, '') ?? '';
  return isLoopbackHost(socket.remoteAddress ?? '') && isLoopbackHost(host);
}
